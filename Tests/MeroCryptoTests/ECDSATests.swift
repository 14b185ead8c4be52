import MeroCrypto
import Testing

@Suite("ECDSA over both curves")
struct ECDSATests {
  /// RFC 6979, appendix A.2.6.
  let x = "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13"
  let y = "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720"

  private func key() throws -> ECDSA.PublicKey { try ECDSA.PublicKey(.p384, x963: [4] + bytes(x) + bytes(y)) }

  @Test(
    "P-384 signatures of RFC 6979 are valid with their own hash only, in both forms",
    arguments: [
      (
        HashAlgorithm.sha256,
        "21b13d1e013c7fa1392d03c5f99af8b30c570c6f98d4ea8e354b63a21d3daa33bde1e888e63355d92fa2b3c36d8fb2cd",
        "f3aa443fb107745bf4bd77cb3891674632068a10ca67e3d45db2266fa7d1feebefdc63eccd1ac42ec0cb8668a4fa0ab0"
      ),
      (
        .sha384,
        "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46",
        "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8"
      ),
    ])
  func p384(hash: HashAlgorithm, r: String, s: String) throws {
    let key = try key()
    let raw = bytes(r) + bytes(s)
    let message = Array("sample".utf8)
    #expect(key.isValid(raw: raw, for: message, hash: hash))
    #expect(key.isValid(der: der(raw), for: message, hash: hash))
    #expect(!key.isValid(raw: raw, for: message, hash: hash == .sha256 ? .sha384 : .sha256))
    #expect(!key.isValid(raw: raw, for: Array("another".utf8), hash: hash))
    #expect(!key.isValid(raw: raw.dropLast(), for: message, hash: hash))
    var flipped = raw
    flipped[60] ^= 1
    #expect(!key.isValid(raw: flipped, for: message, hash: hash))
    #expect(!key.isValid(der: der(flipped), for: message, hash: hash))
  }

  @Test("a P-256 key checks signatures over SHA-384 too")
  func p256WithSHA384() throws {
    let point =
      "04" + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
      + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    let raw =
      bytes("0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef7719")
      + bytes("4861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954")
    let key = try ECDSA.PublicKey(.p256, x963: bytes(point))
    #expect(key.isValid(raw: raw, for: Array("sample".utf8), hash: .sha384))
    #expect(!key.isValid(raw: raw, for: Array("sample".utf8)))
  }

  @Test("points off the curve, of the other curve, at infinity or compressed are refused")
  func points() throws {
    var offCurve = [4] + bytes(x) + bytes(y)
    offCurve[96] ^= 1
    let wrongs: [[UInt8]] = [
      offCurve, [3] + bytes(x), [4] + [UInt8](repeating: 0, count: 96),
      [4] + [UInt8](repeating: 0xFF, count: 96), [0],
      [], [4] + Array(bytes(x).prefix(32)) + Array(bytes(y).prefix(32)),
    ]
    for wrong in wrongs {
      #expect(throws: CryptoError.self) { try ECDSA.PublicKey(.p384, x963: wrong) }
    }
    #expect(throws: CryptoError.invalidKey("a P-384 public key must be a point on the curve")) {
      try ECDSA.PublicKey(.p384, x963: offCurve)
    }
    #expect(throws: CryptoError.invalidKey("a P-256 public key must be 65 bytes, got 97")) {
      try ECDSA.PublicKey(.p256, x963: [4] + bytes(x) + bytes(y))
    }
    #expect(try key() == key())
  }

  private func der(_ raw: [UInt8]) -> [UInt8] {
    let numbers = [raw[..<48], raw[48...]].map { half -> [UInt8] in
      let digits = Array(half.drop { $0 == 0 })
      let number = digits[0] < 0x80 ? digits : [0] + digits
      return [0x02, UInt8(number.count)] + number
    }
    return [0x30, UInt8(numbers[0].count + numbers[1].count)] + numbers[0] + numbers[1]
  }
}
