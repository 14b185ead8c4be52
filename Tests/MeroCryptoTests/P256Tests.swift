import MeroCrypto
import Testing

/// RFC 6979, appendix A.2.5.
struct P256Tests {
  let scalar = bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
  let x = bytes("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
  let y = bytes("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")

  @Test("a scalar gives the public point of RFC 6979")
  func publicPoint() throws {
    let key = try P256.PrivateKey(scalar: scalar)
    #expect(key.publicKey.x == x)
    #expect(key.publicKey.y == y)
    #expect(key.publicKey.x963 == [4] + x + y)
    #expect(key.scalar == scalar)
    #expect(try key.publicKey == P256.PublicKey(x: x, y: y))
  }

  @Test(
    "the signatures of RFC 6979 are valid in both forms, for their message only",
    arguments: [
      (
        "sample",
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
        "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
      ),
      (
        "test",
        "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
        "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
      ),
    ])
  func vectors(message: String, r: String, s: String) throws {
    let key = try P256.PublicKey(x: x, y: y)
    let raw = bytes(r) + bytes(s)
    #expect(key.isValid(raw: raw, for: Array(message.utf8)))
    #expect(key.isValid(der: der(raw), for: Array(message.utf8)))
    #expect(!key.isValid(raw: raw, for: Array("another".utf8)))
    #expect(!key.isValid(der: der(raw), for: Array("another".utf8)))
  }

  @Test("what a key signs its public key accepts, and no flipped bit of it")
  func signAndVerify() throws {
    let key = try P256.PrivateKey()
    let message = Array("an assertion".utf8)
    let signature = try key.sign(message)
    #expect(key.publicKey.isValid(der: signature, for: message))
    for bit in 0..<signature.count * 8 {
      #expect(!key.publicKey.isValid(der: flipping(bit, of: signature), for: message))
    }
    #expect(try !P256.PrivateKey().publicKey.isValid(der: signature, for: message))
  }

  @Test("raw signatures whose numbers begin with zeros or high bits are read as the same numbers")
  func rawForms() throws {
    let key = try P256.PrivateKey()
    for number in 0..<600 {
      // About ten of these have a number that begins with a zero byte, and most have one with a high bit.
      let message = Array("\(number)".utf8)
      #expect(key.publicKey.isValid(raw: raw(try key.sign(message)), for: message))
    }
  }

  @Test("signatures that are no pair of numbers, or zero, or too long, are refused without a crash")
  func malformedSignatures() throws {
    let key = try P256.PrivateKey()
    let message = Array("m".utf8)
    let good = try key.sign(message)
    let zeros = [UInt8](repeating: 0, count: 64)
    for wrong in [
      [], [0x30], [0x30, 0x80], Array(good.dropLast()), good + [0], [0x30, 6, 2, 1, 0, 2, 1, 0],
    ] {
      #expect(!key.publicKey.isValid(der: wrong, for: message))
    }
    for wrong in [[], zeros, Array(zeros.dropLast()), zeros + [0], [UInt8](repeating: 0xff, count: 64)] {
      #expect(!key.publicKey.isValid(raw: wrong, for: message))
    }
  }

  @Test("a longer spelling of a signature's numbers is refused: one signature has one form")
  func longSpelling() throws {
    let key = try P256.PublicKey(x: x, y: y)
    let r = bytes("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
    let s = bytes("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    let padded: [UInt8] = [0x30, 71, 0x02, 34, 0, 0] + r + [0x02, 33, 0] + s
    #expect(!key.isValid(der: padded, for: Array("sample".utf8)))
  }

  @Test("points off the curve, at infinity, compressed or of a wrong length are refused")
  func points() {
    var offCurve = [4] + x + y
    offCurve[64] ^= 1
    let compressed = [3] + x
    let hybrid = [7] + x + y
    let zero = [4] + [UInt8](repeating: 0, count: 64)
    let beyondField = [4] + [UInt8](repeating: 0xff, count: 64)
    for wrong in [offCurve, compressed, hybrid, zero, beyondField, [0], []] {
      #expect(throws: CryptoError.self) { try P256.PublicKey(x963: wrong) }
    }
    #expect(throws: CryptoError.invalidKey("a P-256 public key must be a point on the curve")) {
      try P256.PublicKey(x963: offCurve)
    }
    #expect(throws: CryptoError.invalidKey("the x coordinate of a P-256 point must be 32 bytes, got 31")) {
      try P256.PublicKey(x: x.dropLast(), y: y)
    }
  }

  @Test("scalars outside of 1 to n - 1 are refused, those at the ends are taken")
  func scalars() throws {
    let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    let zero = [UInt8](repeating: 0, count: 32)
    let one = zero.dropLast() + [1]
    let last = order.dropLast() + [0x50]
    for wrong in [zero, order, [UInt8](repeating: 0xff, count: 32)] {
      #expect(throws: CryptoError.invalidKey("a P-256 private key must be between 1 and n - 1")) {
        try P256.PrivateKey(scalar: wrong)
      }
    }
    let generatorX = bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
    #expect(try P256.PrivateKey(scalar: one).publicKey.x == generatorX)
    #expect(try P256.PrivateKey(scalar: last).publicKey.x == generatorX)
    #expect(throws: CryptoError.invalidKey("a P-256 private key must be 32 bytes, got 33")) {
      try P256.PrivateKey(scalar: [0] + one)
    }
  }

  private func der(_ raw: [UInt8]) -> [UInt8] {
    let numbers = [raw[..<32], raw[32...]].map { half -> [UInt8] in
      let digits = Array(half.drop { $0 == 0 })
      let number = digits[0] < 0x80 ? digits : [0] + digits
      return [0x02, UInt8(number.count)] + number
    }
    return [0x30, UInt8(numbers[0].count + numbers[1].count)] + numbers[0] + numbers[1]
  }

  private func raw(_ der: [UInt8]) -> [UInt8] {
    let first = Array(der[4..<4 + Int(der[3])])
    let second = Array(der[(6 + first.count)...])
    return [first, second].flatMap { number -> [UInt8] in
      let digits = number.drop { $0 == 0 }
      return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }
  }

  @Test("private keys show nothing of themselves when they are printed or dumped")
  func quiet() throws {
    let secret = [UInt8](1...32)
    let keys: [Any] = [
      try P256.PrivateKey(scalar: secret), try Ed25519.PrivateKey(seed: secret),
      try X25519.PrivateKey(bytes: secret),
    ]
    for key in keys {
      var dumped = ""
      dump([key], to: &dumped)
      #expect(Mirror(reflecting: key).children.isEmpty)
      #expect(!dumped.contains("17") && !"\(key)".contains("17"))
    }
  }
}
