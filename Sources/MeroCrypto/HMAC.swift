import Foundation

/// HMAC (RFC 2104).
package enum HMAC<Function: HashFunction> {
  package static func authenticate(_ data: some ContiguousBytes, key: some ContiguousBytes) -> [UInt8] {
    withBytes(data, key) { data, key in HashState.hmac(data, key: key, with: Function.algorithm) }
  }
}

package typealias HMACSHA256 = HMAC<SHA256>
package typealias HMACSHA512 = HMAC<SHA512>
