import Foundation
import MeroCrypto
import Testing

/// RFC 8032, section 7.1.
private struct Vector: Sendable {
  let seed, publicKey, message, signature: String

  static let all = [
    Vector(
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: """
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0\
        595bbe24655141438e7a100b
        """),
    Vector(
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: """
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eae\
        b4302aeeb00d291612bb0c00
        """),
    Vector(
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9\
        716ed28dc027beceea1ec40a
        """),
    Vector(
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423\
        643ce80e2a9ac94fa54ca49f
        """,
      signature: """
        dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c\
        138ac17ad9bef1177331a704
        """),
  ]
}

struct Ed25519Tests {
  @Test("seeds give the public keys and signatures of RFC 8032", arguments: Vector.all)
  private func vectors(vector: Vector) throws {
    let message = bytes(vector.message)
    let key = try Ed25519.PrivateKey(seed: bytes(vector.seed))
    #expect(hex(key.publicKey.bytes) == vector.publicKey)
    #expect(hex(key.seed) == vector.seed)
    #if !canImport(CryptoKit)
      // CryptoKit adds randomness, so only here are the bytes of a signature fixed.
      #expect(hex(try key.sign(message)) == vector.signature)
    #endif
    #expect(key.publicKey.isValid(bytes(vector.signature), for: message))
    #expect(key.publicKey.isValid(try key.sign(message), for: message))
  }

  @Test("any flipped bit of a signature, message or key is refused")
  func tampering() throws {
    let key = try Ed25519.PrivateKey()
    let message = Array("a warrant".utf8)
    let signature = try key.sign(message)
    for bit in 0..<signature.count * 8 {
      #expect(!key.publicKey.isValid(flipping(bit, of: signature), for: message))
    }
    for bit in 0..<message.count * 8 {
      #expect(!key.publicKey.isValid(signature, for: flipping(bit, of: message)))
    }
    for bit in 0..<256 {
      let other = try? Ed25519.PublicKey(bytes: flipping(bit, of: key.publicKey.bytes))
      #expect(other?.isValid(signature, for: message) != true)
    }
  }

  @Test(
    "seeds and public keys of a wrong length throw an error that names the length",
    arguments: [0, 31, 33, 64])
  func lengths(count: Int) {
    let wrong = [UInt8](repeating: 1, count: count)
    #expect(throws: CryptoError.invalidKey("an Ed25519 seed must be 32 bytes, got \(count)")) {
      try Ed25519.PrivateKey(seed: wrong)
    }
    #expect(throws: CryptoError.invalidKey("an Ed25519 public key must be 32 bytes, got \(count)")) {
      try Ed25519.PublicKey(bytes: wrong)
    }
  }

  @Test("a signature of a wrong length is not valid", arguments: [0, 63, 65, 128])
  func signatureLength(count: Int) throws {
    let key = try Ed25519.PrivateKey()
    let signature = try key.sign([UInt8]())
    let wrong = (signature + signature).prefix(count)
    #expect(!key.publicKey.isValid(Array(wrong), for: [UInt8]()))
  }

  @Test("public keys are equal when their bytes are")
  func equality() throws {
    let key = try Ed25519.PrivateKey()
    let copy = try Ed25519.PublicKey(bytes: Data(key.publicKey.bytes))
    #expect(copy == key.publicKey)
    #expect(Set([copy, key.publicKey]).count == 1)
    #expect(try copy != Ed25519.PrivateKey().publicKey)
  }
}
