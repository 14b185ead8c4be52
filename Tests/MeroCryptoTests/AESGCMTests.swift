import Foundation
import MeroCrypto
import Testing

/// The 256-bit test cases 13 to 16 of the GCM specification that NIST took over.
private struct Vector: Sendable {
  let key, nonce, plaintext, header, ciphertext, tag: String

  private static let longKey = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  private static let zeroKey = String(repeating: "00", count: 32)
  private static let zeroNonce = String(repeating: "00", count: 12)
  private static let longText = """
    d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
    b16aedf5aa0de657ba637b391aafd255
    """
  private static let longCiphertext = """
    522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
    c5f61e6393ba7a0abcc9f662898015ad
    """

  static let all = [
    Vector(
      key: zeroKey, nonce: zeroNonce, plaintext: "", header: "", ciphertext: "",
      tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    Vector(
      key: zeroKey, nonce: zeroNonce, plaintext: String(repeating: "00", count: 16), header: "",
      ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    Vector(
      key: longKey, nonce: "cafebabefacedbaddecaf888", plaintext: longText, header: "",
      ciphertext: longCiphertext, tag: "b094dac5d93471bdec1a502270e3cc6c"),
    Vector(
      key: longKey, nonce: "cafebabefacedbaddecaf888", plaintext: String(longText.dropLast(8)),
      header: "feedfacedeadbeeffeedfacedeadbeefabaddad2", ciphertext: String(longCiphertext.dropLast(8)),
      tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]
}

struct AESGCMTests {
  private let nonce = [UInt8](repeating: 7, count: AESGCM.nonceSize)
  private let header = Array("header".utf8)

  @Test(
    "messages seal to the ciphertexts and tags of the GCM specification and open again", arguments: Vector.all
  )
  private func vectors(vector: Vector) throws {
    let key = try AESGCM(key: bytes(vector.key))
    let (nonce, header) = (bytes(vector.nonce), bytes(vector.header))
    let sealed = try key.seal(bytes(vector.plaintext), nonce: nonce, authenticating: header)
    #expect(hex(sealed) == vector.ciphertext + vector.tag)
    #expect(hex(try key.open(sealed, nonce: nonce, authenticating: header)) == vector.plaintext)
  }

  @Test("arrays, Data and buffers give the same, at every length around a block")
  func forms() throws {
    let key = try AESGCM(key: SecureRandom.bytes(32))
    for count in [0, 1, 15, 16, 17, 31, 65_535, 65_536, 1_000_003] {
      let text = SecureRandom.bytes(count)
      let sealed = try key.seal(text, nonce: nonce, authenticating: header)
      #expect(sealed.count == count + AESGCM.tagSize)
      #expect(try key.sealData(text, nonce: nonce, authenticating: header) == Data(sealed))
      #expect(try key.open(sealed, nonce: nonce, authenticating: header) == text)
      #expect(try key.openData(Data(sealed), nonce: nonce, authenticating: header) == Data(text))
    }
  }

  @Test("a buffer is sealed and opened in place")
  func inPlace() throws {
    let key = try AESGCM(key: SecureRandom.bytes(32))
    let text = SecureRandom.bytes(1_000)
    let expected = try key.seal(text, nonce: nonce, authenticating: header)
    var buffer = text + [UInt8](repeating: 0, count: AESGCM.tagSize)
    try buffer.withUnsafeMutableBytes { buffer in
      let message = UnsafeMutableRawBufferPointer(rebasing: buffer[..<1_000])
      try nonce.withUnsafeBytes { nonce in
        try header.withUnsafeBytes { header in
          try key.seal(.init(message), nonce: nonce, authenticating: header, into: buffer)
          #expect(buffer.elementsEqual(expected))
          try key.open(.init(buffer), nonce: nonce, authenticating: header, into: message)
          #expect(message.elementsEqual(text))
        }
      }
    }
  }

  @Test("any flipped bit of a sealed message, nonce or header is refused")
  func tampering() throws {
    let key = try AESGCM(key: SecureRandom.bytes(32))
    let sealed = try key.seal(Array("a frame".utf8), nonce: nonce, authenticating: header)
    func isRefused(_ sealed: [UInt8], _ nonce: [UInt8], _ header: [UInt8]) -> Bool {
      do {
        _ = try key.open(sealed, nonce: nonce, authenticating: header)
        return false
      } catch {
        return error == .authenticationFailed
      }
    }
    for bit in 0..<sealed.count * 8 { #expect(isRefused(flipping(bit, of: sealed), nonce, header)) }
    for bit in 0..<nonce.count * 8 { #expect(isRefused(sealed, flipping(bit, of: nonce), header)) }
    for bit in 0..<header.count * 8 { #expect(isRefused(sealed, nonce, flipping(bit, of: header))) }
    #expect(isRefused(sealed, nonce, []))
    // After all the refusals the key still opens what it sealed.
    #expect(try key.open(sealed, nonce: nonce, authenticating: header) == Array("a frame".utf8))
  }

  @Test("a message that does not open leaves only zeros in the caller's buffer")
  func nothingLeaks() throws {
    let key = try AESGCM(key: SecureRandom.bytes(32))
    var sealed = try key.seal([UInt8](repeating: 0xaa, count: 100), nonce: nonce, authenticating: header)
    sealed[115] ^= 1
    var output = [UInt8](repeating: 0x55, count: 100)
    #expect(throws: CryptoError.authenticationFailed) {
      try output.withUnsafeMutableBytes { output in
        try sealed.withUnsafeBytes { sealed in
          try nonce.withUnsafeBytes { nonce in
            try header.withUnsafeBytes { header in
              try key.open(sealed, nonce: nonce, authenticating: header, into: output)
            }
          }
        }
      }
    }
    #expect(output == [UInt8](repeating: 0, count: 100))
  }

  @Test("a message shorter than a tag is refused", arguments: [0, 1, 15])
  func tooShort(count: Int) throws {
    let key = try AESGCM(key: SecureRandom.bytes(32))
    let short = [UInt8](repeating: 0, count: count)
    #expect(throws: CryptoError.authenticationFailed) {
      try key.open(short, nonce: nonce, authenticating: header)
    }
    #expect(throws: CryptoError.authenticationFailed) {
      try key.openData(short, nonce: nonce, authenticating: header)
    }
  }

  @Test(
    "keys and nonces of a wrong length throw an error that names the length", arguments: [0, 11, 13, 16, 33])
  func lengths(count: Int) throws {
    let wrong = [UInt8](repeating: 1, count: count)
    #expect(throws: CryptoError.invalidKey("an AES-256 key must be 32 bytes, got \(count)")) {
      try AESGCM(key: wrong)
    }
    let key = try AESGCM(key: SecureRandom.bytes(32))
    #expect(throws: CryptoError.invalidKey("an AES-GCM nonce must be 12 bytes, got \(count)")) {
      try key.seal([UInt8](), nonce: wrong, authenticating: header)
    }
    #expect(throws: CryptoError.invalidKey("an AES-GCM nonce must be 12 bytes, got \(count)")) {
      try key.open([UInt8](repeating: 0, count: 20), nonce: wrong, authenticating: header)
    }
  }
}
