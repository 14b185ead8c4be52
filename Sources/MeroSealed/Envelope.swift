import Foundation
import MeroCrypto

/// A sealed request: the header, then the sealed length, head and body (50 §1.4).
package enum Envelope {
  /// The envelope's size for a head and body of these sizes.
  package static func size(head: Int, body: Int) -> Int {
    EnvelopeHeader.size + 4 + head + body + SealedProtocol.tagSize
  }

  /// The smallest envelope that can open.
  package static let minimumSize = EnvelopeHeader.size + SealedProtocol.tagSize

  /// Writes head and body where they will be sealed, so that a large body is copied once.
  package static func seal(
    head: [UInt8], body: Data, header: EnvelopeHeader, cipher: AESGCM
  ) throws(CryptoError) -> Data {
    let envelope = OwnedBytes(count: size(head: head.count, body: body.count))
    try envelope.withBytes { (memory: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      memory.copyBytes(from: header.bytes)
      var offset = EnvelopeHeader.size
      for part in [UInt32(head.count).bigEndianBytes, head] {
        UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyBytes(from: part)
        offset += part.count
      }
      body.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: $0) }
      try cipher.sealInPlace(
        memory, from: EnvelopeHeader.size, nonce: header.requestNonce, authenticating: header.bytes)
    }
    return envelope.data()
  }

  /// What opening found. `inner` fails when the plaintext is shorter than it says.
  package enum Opened {
    case notOpened
    case malformed
    case parts(head: Data, body: Data)
  }

  /// Opens an envelope of at least `minimumSize` bytes whose header is already read.
  package static func open(_ envelope: Data, header: EnvelopeHeader, cipher: AESGCM) -> Opened {
    let plain = OwnedBytes(count: envelope.count - minimumSize)
    let isOpen = envelope.withUnsafeBytes { envelope in
      plain.withBytes {
        cipher.opens(
          UnsafeRawBufferPointer(rebasing: envelope[EnvelopeHeader.size...]), nonce: header.requestNonce,
          authenticating: header.bytes, into: $0)
      }
    }
    guard isOpen else { return .notOpened }
    let head: Data? = plain.withBytes { plain in
      guard plain.count >= 4 else { return nil }
      let count = plain[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard count <= plain.count - 4 else { return nil }
      return Data(plain[4..<4 + count])
    }
    guard let head else { return .malformed }
    return .parts(head: head, body: plain.data(from: 4 + head.count))
  }
}
