/// Keeps credentials out of texts that people log.
enum Redaction {
  /// The text with everything that looks like one of the cluster's tokens or keys cut to its prefix.
  ///
  /// Answers are written by others and may echo what they were sent.
  static func withoutTokens(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = firstToken(in: rest) {
      let secret = rest.index(start, offsetBy: 4)
      result += rest[..<secret]
      result += "…"
      rest = rest[secret...].drop(while: isTokenCharacter)
    }
    return result + rest
  }

  private static func firstToken(in text: Substring) -> Substring.Index? {
    var from = text.startIndex
    while let start = text[from...].firstIndex(of: "c") {
      let candidate = text[start...]
      if prefixes.contains(where: candidate.hasPrefix),
        candidate.dropFirst(4).prefix(16).filter(isTokenCharacter).count == 16
      {
        return start
      }
      from = text.index(after: start)
    }
    return nil
  }

  private static let prefixes = ["cms_", "cmr_", "cmk_"]

  private static func isTokenCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
  }
}
