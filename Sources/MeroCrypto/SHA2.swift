import Foundation

/// A SHA-2 function: `SHA256.hash(bytes)`, or piece by piece with `SHA256.Hasher`.
package protocol HashFunction: Sendable {
  static var algorithm: HashAlgorithm { get }
}

package enum HashAlgorithm: Sendable {
  case sha256, sha384, sha512

  package var digestSize: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}

package enum SHA256: HashFunction { package static let algorithm = HashAlgorithm.sha256 }
package enum SHA384: HashFunction { package static let algorithm = HashAlgorithm.sha384 }
package enum SHA512: HashFunction { package static let algorithm = HashAlgorithm.sha512 }

extension HashFunction {
  package typealias Hasher = IncrementalHash<Self>

  package static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
    withBytes(bytes) { HashState.digest($0, with: algorithm) }
  }
}

/// A hash over bytes that come in pieces. It is a value: a copy goes on independently.
package struct IncrementalHash<Function: HashFunction>: Sendable {
  private var state = HashState(Function.algorithm)

  package init() {}

  package mutating func update(_ bytes: some ContiguousBytes) {
    makeUnique()
    withBytes(bytes) { state.update($0) }
  }

  /// The digest of everything given so far; the hasher then starts over.
  package mutating func finalize() -> [UInt8] {
    makeUnique()
    let digest = state.finalize()
    state = HashState(Function.algorithm)
    return digest
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&state) { state = HashState(copying: state) }
  }
}
