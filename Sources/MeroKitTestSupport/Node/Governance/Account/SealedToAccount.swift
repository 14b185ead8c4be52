import MeroCrypto
import MeroWire

/// A small payload that only the holder of an account's root opens (20 §6.10). Who sealed it stays unsaid.
///
/// The root signs with Ed25519; what agrees on a key is the point on the other form of the same curve.
enum SealedToAccount {
  static let domain = Array("calimero.account.seal.v1".utf8)

  static func seal(_ plaintext: [UInt8], to rootKey: [UInt8], _ random: SeededRandom) throws -> JSONValue {
    guard let point = MontgomeryPoint.u(ofEdwards: rootKey) else {
      throw NodeRefusal(400, "the account's root is no key")
    }
    let ephemeral = try X25519.PrivateKey(bytes: random.bytes(32))
    let secret = try ephemeral.sharedSecret(with: point)
    let nonce = random.bytes(12)
    let key = HKDFSHA256.derive(
      ikm: secret, salt: ephemeral.publicKey + rootKey, info: domain, count: AESGCM.keySize)
    let sealed = try AESGCM(key: key).seal(plaintext, nonce: nonce, authenticating: [UInt8]())
    return [
      "accountRootEpoch": 0, "ephemeralPublicKey": .string(Hex.encode(ephemeral.publicKey)),
      "nonce": .string(Hex.encode(nonce)), "ciphertext": .string(Hex.encode(sealed)),
    ]
  }
}

/// Arithmetic modulo 2^255 - 19, only as much of it as one conversion needs. Slow, and not for secrets.
enum MontgomeryPoint {
  /// The u coordinate of X25519 for an Ed25519 public key: (1 + y) / (1 - y). nil for the one point that has none.
  static func u(ofEdwards key: [UInt8]) -> [UInt8]? {
    guard key.count == 32 else { return nil }
    var bytes = key
    bytes[31] &= 0x7F
    let y = Field(bytes)
    let divisor = Field.one - y
    guard divisor != .zero else { return nil }
    return ((Field.one + y) * divisor.inverse).bytes
  }

  /// Sixteen limbs of 16 bits, so that sums of products fit into 64.
  private struct Field: Equatable {
    static let zero = Field(limbs: [UInt64](repeating: 0, count: 16))
    static let one = Field(limbs: [1] + [UInt64](repeating: 0, count: 15))
    private static let prime = Field(limbs: [0xFFED] + [UInt64](repeating: 0xFFFF, count: 14) + [0x7FFF])

    private var limbs: [UInt64]

    private init(limbs: [UInt64]) { self.limbs = limbs }

    init(_ bytes: [UInt8]) {
      limbs = (0..<16).map { UInt64(bytes[2 * $0]) | UInt64(bytes[2 * $0 + 1]) << 8 }
      reduce()
    }

    var bytes: [UInt8] {
      limbs.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    static func + (one: Field, other: Field) -> Field {
      var sum = Field(limbs: zip(one.limbs, other.limbs).map { $0 + $1 })
      sum.reduce()
      return sum
    }

    static func - (one: Field, other: Field) -> Field {
      // Twice the prime keeps every limb above zero once it has borrowed.
      var difference = [UInt64]()
      var borrow: Int64 = 0
      for index in 0..<16 {
        let value =
          Int64(one.limbs[index]) + 2 * Int64(prime.limbs[index]) - Int64(other.limbs[index]) + borrow
        difference.append(UInt64(value & 0xFFFF))
        borrow = value >> 16
      }
      difference[15] += UInt64(borrow) << 16
      var result = Field(limbs: difference)
      result.reduce()
      return result
    }

    static func * (one: Field, other: Field) -> Field {
      var product = [UInt64](repeating: 0, count: 32)
      for (i, left) in one.limbs.enumerated() {
        for (j, right) in other.limbs.enumerated() { product[i + j] += left * right }
      }
      var result = Field(limbs: (0..<16).map { product[$0] + 38 * product[$0 + 16] })
      result.reduce()
      return result
    }

    /// x to the power of p - 2, whose bits are all ones but for two.
    var inverse: Field {
      var result = Field.one
      for bit in stride(from: 254, through: 0, by: -1) {
        result = result * result
        if bit != 2, bit != 4 { result = result * self }
      }
      return result
    }

    /// Carries, folds what is above 2^255, and takes the prime away as often as it is in.
    private mutating func reduce() {
      for _ in 0..<4 {
        var carry: UInt64 = 0
        for index in 0..<16 {
          let value = limbs[index] + carry
          limbs[index] = value & 0xFFFF
          carry = value >> 16
        }
        let top = carry << 1 | limbs[15] >> 15
        limbs[15] &= 0x7FFF
        limbs[0] += 19 * top
      }
      while !isBelowPrime { subtractPrime() }
    }

    private var isBelowPrime: Bool {
      for index in stride(from: 15, through: 0, by: -1) where limbs[index] != Field.prime.limbs[index] {
        return limbs[index] < Field.prime.limbs[index]
      }
      return false
    }

    private mutating func subtractPrime() {
      var borrow: Int64 = 0
      for index in 0..<16 {
        let value = Int64(limbs[index]) - Int64(Field.prime.limbs[index]) + borrow
        limbs[index] = UInt64(value & 0xFFFF)
        borrow = value >> 16
      }
    }
  }
}
