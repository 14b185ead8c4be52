/// One range of a file as a `Range` header asks for it (RFC 9110, 14.1.2).
enum ByteRange {
  /// The bytes asked for; nil when the header is not about one range of bytes and therefore means nothing. Throws when
  /// there are no such bytes: the document knows no 416.
  static func read(_ header: String, of size: Int) throws(Refusal) -> Range<Int>? {
    let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes", !parts[1].contains(",") else { return nil }
    let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return nil
    }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let count?) where ends[0].isEmpty:
      guard count > 0, size > 0 else { throw none(of: size) }
      return max(0, size - count)..<size
    case (let first?, nil) where ends[1].isEmpty:
      guard first < size else { throw none(of: size) }
      return first..<size
    case (let first?, let last?):
      guard first <= last else { return nil }
      guard first < size else { throw none(of: size) }
      return first..<min(last, size - 1) + 1
    default: return nil
    }
  }

  private static func none(of size: Int) -> Refusal {
    .invalidArgument("Range", "begins after the file's \(size) bytes")
  }
}
