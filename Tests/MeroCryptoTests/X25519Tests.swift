import MeroCrypto
import Testing

/// RFC 7748, sections 5.2 and 6.1.
struct X25519Tests {
  @Test(
    "scalars and points give the results of RFC 7748",
    arguments: [
      (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
      ),
      (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
      ),
    ])
  func vectors(scalar: String, point: String, result: String) throws {
    let key = try X25519.PrivateKey(bytes: bytes(scalar))
    #expect(hex(try key.sharedSecret(with: bytes(point))) == result)
  }

  @Test("a thousand iterations end where RFC 7748 says")
  func iterated() throws {
    var scalar = [9] + [UInt8](repeating: 0, count: 31)
    var point = scalar
    for round in 1...1_000 {
      let next = try X25519.PrivateKey(bytes: scalar).sharedSecret(with: point)
      (scalar, point) = (next, scalar)
      if round == 1 {
        #expect(hex(scalar) == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")
      }
    }
    #expect(hex(scalar) == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
  }

  @Test("both sides of the exchange of RFC 7748 agree on its secret")
  func exchange() throws {
    let alice = try X25519.PrivateKey(
      bytes: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
    let bob = try X25519.PrivateKey(
      bytes: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    #expect(hex(alice.publicKey) == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    #expect(hex(bob.publicKey) == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    let secret = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    #expect(hex(try alice.sharedSecret(with: bob.publicKey)) == secret)
    #expect(hex(try bob.sharedSecret(with: alice.publicKey)) == secret)
  }

  @Test(
    "every point of low order is refused, because the secret would be zero",
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
  func lowOrder(point: String) throws {
    let key = try X25519.PrivateKey()
    #expect(throws: CryptoError.lowOrderPoint) { try key.sharedSecret(with: bytes(point)) }
    // The refusal leaves nothing behind that would spoil the next agreement on this thread.
    let peer = try X25519.PrivateKey()
    #expect(try key.sharedSecret(with: peer.publicKey) == peer.sharedSecret(with: key.publicKey))
  }

  @Test("keys of a wrong length throw an error that names the length", arguments: [0, 31, 33])
  func lengths(count: Int) throws {
    let wrong = [UInt8](repeating: 1, count: count)
    #expect(throws: CryptoError.invalidKey("an X25519 private key must be 32 bytes, got \(count)")) {
      try X25519.PrivateKey(bytes: wrong)
    }
    let key = try X25519.PrivateKey()
    #expect(throws: CryptoError.invalidKey("an X25519 public key must be 32 bytes, got \(count)")) {
      try key.sharedSecret(with: wrong)
    }
  }

  @Test("a private key gives back the bytes it was made from")
  func bytesAreKept() throws {
    let seed = SecureRandom.bytes(32)
    #expect(try X25519.PrivateKey(bytes: seed).bytes == seed)
  }
}
