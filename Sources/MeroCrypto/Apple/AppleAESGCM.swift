#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  final class AESGCMKey: Sendable {
    private let key: SymmetricKey

    init(_ key: UnsafeRawBufferPointer) {
      self.key = SymmetricKey(data: key)
    }

    func seal(
      _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
      authenticating header: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
      guard
        let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.seal(plaintext, using: key, nonce: nonce, authenticating: header)
      else { throw .backend("seal a message") }
      box.ciphertext.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: output[..<plaintext.count]))
      box.tag.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: output[plaintext.count...]))
    }

    func open(
      _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
      authenticating header: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
      let split = sealed.count - AESGCM.tagSize
      guard
        let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.SealedBox(
          nonce: nonce, ciphertext: sealed[..<split], tag: sealed[split...])
      else { throw .backend("open a message") }
      guard let plaintext = try? AES.GCM.open(box, using: key, authenticating: header) else {
        output.initializeMemory(as: UInt8.self, repeating: 0)
        throw .authenticationFailed
      }
      plaintext.copyBytes(to: output)
    }
  }
#endif
