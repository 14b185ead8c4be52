/// Texts as names of files.
enum FileText {
  /// A name without separators or a leading dot; different texts have different names.
  static func name(of text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == 0x2D || byte == 0x5F || (byte == 0x2E && !result.isEmpty)
      let digits = String(byte, radix: 16)
      result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return result.isEmpty ? "%" : result
  }
}
