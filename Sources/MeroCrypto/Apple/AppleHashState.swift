#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// A running hash of CryptoKit.
  ///
  /// Sendable unchecked: `IncrementalHash` changes a state only while it is its single owner.
  final class HashState: @unchecked Sendable {
    private enum Running {
      case sha256(CryptoKit.SHA256)
      case sha384(CryptoKit.SHA384)
      case sha512(CryptoKit.SHA512)
    }

    private var running: Running

    init(_ algorithm: HashAlgorithm) {
      switch algorithm {
      case .sha256: running = .sha256(CryptoKit.SHA256())
      case .sha384: running = .sha384(CryptoKit.SHA384())
      case .sha512: running = .sha512(CryptoKit.SHA512())
      }
    }

    init(copying other: HashState) {
      running = other.running
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
      switch running {
      case .sha256(var hash):
        hash.update(bufferPointer: bytes)
        running = .sha256(hash)
      case .sha384(var hash):
        hash.update(bufferPointer: bytes)
        running = .sha384(hash)
      case .sha512(var hash):
        hash.update(bufferPointer: bytes)
        running = .sha512(hash)
      }
    }

    func finalize() -> [UInt8] {
      switch running {
      case .sha256(let hash): [UInt8](hash.finalize())
      case .sha384(let hash): [UInt8](hash.finalize())
      case .sha512(let hash): [UInt8](hash.finalize())
      }
    }

    static func digest(_ bytes: UnsafeRawBufferPointer, with algorithm: HashAlgorithm) -> [UInt8] {
      let state = HashState(algorithm)
      state.update(bytes)
      return state.finalize()
    }

    static func hmac(
      _ data: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, with algorithm: HashAlgorithm
    ) -> [UInt8] {
      let key = SymmetricKey(data: key)
      return switch algorithm {
      case .sha256: [UInt8](CryptoKit.HMAC<CryptoKit.SHA256>.authenticationCode(for: data, using: key))
      case .sha384: [UInt8](CryptoKit.HMAC<CryptoKit.SHA384>.authenticationCode(for: data, using: key))
      case .sha512: [UInt8](CryptoKit.HMAC<CryptoKit.SHA512>.authenticationCode(for: data, using: key))
      }
    }
  }
#endif
