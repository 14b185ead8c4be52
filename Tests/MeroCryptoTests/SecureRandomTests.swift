import MeroCrypto
import Testing

struct SecureRandomTests {
  @Test("random bytes come in the asked number and never repeat")
  func randomness() {
    for count in [0, 1, 7, 8, 9, 32, 1_000] { #expect(SecureRandom.bytes(count).count == count) }
    #expect(Set((0..<1_000).map { _ in SecureRandom.bytes(16) }).count == 1_000)
  }

  @Test("every byte of a random string is filled, the last ones too")
  func allFilled() {
    var union = [UInt8](repeating: 0, count: 13)
    for _ in 0..<200 {
      for (index, byte) in SecureRandom.bytes(13).enumerated() { union[index] |= byte }
    }
    #expect(union == [UInt8](repeating: 0xff, count: 13))
  }
}

struct ConstantTimeTests {
  @Test("equal bytes are equal; a difference at any place or in length is seen")
  func equality() {
    let secret = SecureRandom.bytes(32)
    #expect(ConstantTime.equal(secret, Array(secret)))
    #expect(ConstantTime.equal([UInt8](), [UInt8]()))
    for bit in 0..<256 { #expect(!ConstantTime.equal(secret, flipping(bit, of: secret))) }
    #expect(!ConstantTime.equal(secret, secret.dropLast()))
    #expect(!ConstantTime.equal(secret, secret + [0]))
    #expect(!ConstantTime.equal(secret, [UInt8]()))
  }
}
