import MeroCrypto
import Testing

struct ConcurrencyTests {
  @Test("keys shared by many tasks seal, open, sign, verify and agree without mixing anything up")
  func sharedKeys() async throws {
    let aes = try AESGCM(key: SecureRandom.bytes(32))
    let ed25519 = try Ed25519.PrivateKey()
    let p256 = try P256.PrivateKey()
    let (mine, theirs) = (try X25519.PrivateKey(), try X25519.PrivateKey())
    let secret = try mine.sharedSecret(with: theirs.publicKey)

    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<32 {
        group.addTask {
          for round in 0..<20 {
            let text = [UInt8](repeating: UInt8(task), count: 100 * round)
            let nonce = [UInt8(task), UInt8(round)] + [UInt8](repeating: 0, count: 10)
            let sealed = try aes.seal(text, nonce: nonce, authenticating: nonce)
            let tampered = flipping(round, of: sealed)
            guard
              try aes.open(sealed, nonce: nonce, authenticating: nonce) == text,
              (try? aes.open(tampered, nonce: nonce, authenticating: nonce)) == nil,
              ed25519.publicKey.isValid(try ed25519.sign(text), for: text),
              p256.publicKey.isValid(der: try p256.sign(text), for: text),
              try theirs.sharedSecret(with: mine.publicKey) == secret
            else { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
