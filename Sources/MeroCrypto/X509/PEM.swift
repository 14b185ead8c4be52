/// The text form of certificates (RFC 7468).
package enum PEM {
  private static let begin = [UInt8]("-----BEGIN CERTIFICATE-----".utf8)
  private static let end = [UInt8]("-----END CERTIFICATE-----".utf8)
  private static let largestText = 64 * 1024

  /// The certificates in a text, in its order.
  ///
  /// Around the blocks there may be white space and, at the end, the NUL of a C string; nothing else. Every text of
  /// 64 KiB or less with `limit` certificates or fewer is read.
  ///
  /// - Parameter known: a certificate that is likely to be there; it is recognised instead of read anew.
  /// - Throws: `X509Error.malformed` for anything else, and when there is no certificate.
  package static func certificates(
    in text: ArraySlice<UInt8>, known: Certificate? = nil, atMost limit: Int = 8
  ) throws(X509Error) -> [Certificate] {
    guard text.count <= largestText else { throw .malformed("a list of certificates is too long") }
    var rest = text
    while rest.last == 0 { rest.removeLast() }
    var certificates: [Certificate] = []
    while true {
      rest = rest.drop(while: isSpace)
      if rest.isEmpty { break }
      guard certificates.count < limit else { throw .malformed("more than \(limit) certificates") }
      let bytes = try block(from: &rest)
      if let known, known.encoded == bytes {
        certificates.append(known)
      } else {
        certificates.append(try Certificate(der: bytes))
      }
    }
    guard !certificates.isEmpty else { throw .malformed("no certificate") }
    return certificates
  }

  private static func block(from rest: inout ArraySlice<UInt8>) throws(X509Error) -> [UInt8] {
    guard rest.starts(with: begin) else { throw .malformed("something else than a PEM certificate") }
    rest = rest.dropFirst(begin.count)
    guard let dash = rest.firstIndex(of: UInt8(ascii: "-")), rest[dash...].starts(with: end) else {
      throw .malformed("a PEM certificate does not end")
    }
    guard let bytes = decoded(rest[..<dash]) else { throw .malformed("a PEM certificate is not base64") }
    rest = rest[(dash + end.count)...]
    return bytes
  }

  /// Base64 with white space anywhere, padded, in the one spelling of its bytes.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    text.withUnsafeBufferPointer { text in values.withUnsafeBufferPointer { decoded(text, $0) } }
  }

  private static func decoded(
    _ text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>
  ) -> [UInt8]? {
    var (pending, digits, padding): (UInt32, Int, Int) = (0, 0, 0)
    var isBase64 = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count + 1) { output, count in
      func write(_ byte: UInt32) {
        output.initializeElement(at: count, to: UInt8(truncatingIfNeeded: byte))
        count += 1
      }
      for character in text where !isSpace(character) {
        if character == UInt8(ascii: "=") {
          padding += 1
          continue
        }
        let digit = values[Int(character)]
        guard digit < 64, padding == 0 else {
          isBase64 = false
          return
        }
        pending = pending << 6 | UInt32(digit)
        digits += 1
        guard digits & 3 == 0 else { continue }
        write(pending >> 16)
        write(pending >> 8)
        write(pending)
      }
      switch (digits & 3, padding) {
      case (0, 0): break
      case (2, 2) where pending & 0xF == 0: write(pending >> 4)
      case (3, 1) where pending & 0x3 == 0:
        write(pending >> 10)
        write(pending >> 2)
      default: isBase64 = false
      }
    }
    return isBase64 ? bytes : nil
  }

  /// What each character stands for; 64 for those that stand for nothing.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09
  }
}
