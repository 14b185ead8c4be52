import MeroCrypto
import Testing

/// RFC 5869, appendix A, the cases with SHA-256.
private struct Vector: Sendable {
  let ikm, salt, info: [UInt8]
  let prk, okm: String

  static let all = [
    Vector(
      ikm: [UInt8](repeating: 0x0b, count: 22), salt: Array(0x00...0x0c), info: Array(0xf0...0xf9),
      prk: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
      okm: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
    Vector(
      ikm: Array(0x00...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff),
      prk: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
      okm: """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da327560\
        0c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
        """),
    Vector(
      ikm: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
      prk: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
      okm: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
  ]
}

struct HKDFTests {
  @Test("secrets expand to the keys of RFC 5869", arguments: Vector.all)
  private func vectors(vector: Vector) {
    let count = vector.okm.count / 2
    let prk = HKDFSHA256.extract(salt: vector.salt, ikm: vector.ikm)
    #expect(hex(prk) == vector.prk)
    #expect(hex(HKDFSHA256.expand(prk: prk, info: vector.info, count: count)) == vector.okm)
    #expect(
      hex(HKDFSHA256.derive(ikm: vector.ikm, salt: vector.salt, info: vector.info, count: count))
        == vector.okm)
  }

  @Test("a shorter output is the beginning of a longer one, up to the longest that the RFC allows")
  func prefixes() {
    let prk = [UInt8](repeating: 3, count: 32)
    let longest = HKDFSHA256.expand(prk: prk, info: [UInt8](), count: HKDFSHA256.maximumCount)
    #expect(longest.count == 8_160)
    for count in [0, 1, 31, 32, 33, 64, 100] {
      #expect(HKDFSHA256.expand(prk: prk, info: [UInt8](), count: count) == Array(longest.prefix(count)))
    }
  }
}
