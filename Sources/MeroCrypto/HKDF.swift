import Foundation

/// HKDF (RFC 5869) written over HMAC: the same code on every platform, and faster than OpenSSL's own.
package enum HKDF<Function: HashFunction> {
  /// The longest output that the RFC allows.
  package static var maximumCount: Int { 255 * Function.algorithm.digestSize }

  /// An empty salt stands for a digest's length of zeros, as the RFC says; to HMAC both keys are the same.
  package static func extract(salt: some ContiguousBytes, ikm: some ContiguousBytes) -> [UInt8] {
    HMAC<Function>.authenticate(ikm, key: salt)
  }

  /// - Precondition: `count` is at most `maximumCount`.
  package static func expand(prk: some ContiguousBytes, info: some ContiguousBytes, count: Int) -> [UInt8] {
    precondition(count >= 0 && count <= maximumCount, "HKDF gives at most \(maximumCount) bytes")
    return withBytes(prk, info) { prk, info in
      var output: [UInt8] = []
      var block: [UInt8] = []
      var number: UInt8 = 0
      while output.count < count {
        number += 1
        block = HMAC<Function>.authenticate(block + info + [number], key: prk)
        output += block.prefix(count - output.count)
      }
      return output
    }
  }

  package static func derive(
    ikm: some ContiguousBytes, salt: some ContiguousBytes, info: some ContiguousBytes, count: Int
  ) -> [UInt8] {
    expand(prk: extract(salt: salt, ikm: ikm), info: info, count: count)
  }
}

package typealias HKDFSHA256 = HKDF<SHA256>
