import Foundation
import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire

/// Hashes, keys, ids and credentials (30 §1, §4, §5).
enum IdentityVectors {
  static let checks: [String: @Sendable (AccountCase) throws -> Void] = [
    "domainHash": { test in
      let parts = try test.input.byteLists("partsHex")
      try test.require("hash", domainHash(try test.input.text("domain"), parts))
    },
    "keys": keys,
    "accountEncoding": accountEncoding,
    "base58": { test in
      let bytes = try test.input.bytes("hex")
      let text = try test.expect.text("base58")
      try require("base58", Base58.encode(bytes), is: text)
      try require("the bytes", try Base58.decode(text), is: bytes)
    },
    "account": account,
    "credentialVerify": credentialVerify,
    "rootStatements": rootStatements,
    "derivedIds": { test in
      if test.input.has("founder") {
        let id = try GovernanceOps.namespaceId(
          founder: try test.input.text("founder"), salt: try test.input.text("salt"))
        try test.require("namespaceId", id)
      } else {
        let id = try GovernanceOps.subgroupId(
          admin: try test.input.text("admin"), parentId: try test.input.text("parentId"),
          restricted: try test.input.flag("restricted"), salt: try test.input.text("salt"))
        try test.require("subgroupId", id)
      }
    },
    "applicationId": { test in
      let id = ApplicationRegistry.applicationId(
        package: try test.input.text("package"), signerId: try test.input.text("signerId"))
      try test.require("applicationId", id)
    },
  ]

  private static let keys: @Sendable (AccountCase) throws -> Void = { test in
    let seed = try test.input.bytes("seed", count: 32)
    let message = try test.input.bytes("messageHex")
    let key = try Ed25519.PrivateKey(seed: seed)
    try test.require("ed25519PublicKey", key.publicKey.bytes)
    try test.requireSignature(
      "the signature", try key.sign(message), is: try test.expect.bytes("ed25519Signature"),
      by: key.publicKey.bytes, of: message)
    try test.require("x25519PublicKey", try X25519.PrivateKey(bytes: seed).publicKey)
    let device = try DeviceKeys(signSecret: Data(seed), kemSecret: Data(seed))
    try require("the signing key", device.signPublicKey, is: try test.expect.text("ed25519PublicKey"))
    try require("the delivery key", device.kemPublicKey, is: try test.expect.text("x25519PublicKey"))
  }

  private static let accountEncoding: @Sendable (AccountCase) throws -> Void = { test in
    let operation = try test.input.text("op")
    switch operation {
    case "same":
      let (one, other) = (try test.input.text("a"), try test.input.text("b"))
      for (one, other) in [(one, other), (other, one)] {
        try require("same", AccountID.areSame(one, other), is: try test.expect.flag("same"))
      }
    case "roundTrip", "passThrough":
      let id = try test.input.text("id")
      try test.require("hex", AccountID.hex(id))
      try test.require("base58", AccountID.base58(id))
      if operation == "roundTrip" { try test.require("hexOfBase58", AccountID.hex(AccountID.base58(id))) }
    default: throw Mismatch("nobody knows the operation \(operation)")
    }
  }

  private static let account: @Sendable (AccountCase) throws -> Void = { test in
    let seed = try test.input.bytes("rootSeed", count: 32)
    let root = try Ed25519.PrivateKey(seed: seed)
    try test.require("rootPublicKey", root.publicKey.bytes)
    let account = try DeviceCertificates.account(forRootPublicKey: Hex.encode(root.publicKey.bytes))
    try test.require("account", account)
    let device = try DeviceCertificates.mintDeviceId(
      account: account, nonce: try test.input.text("deviceNonce"))
    try test.require("device", device)
    let (signKey, kemKey) = (try test.input.text("signPublicKey"), try test.input.text("kemPublicKey"))
    let epoch: UInt32 = try test.input.small("deviceEpoch")
    let payload = try DeviceCertificates.payload(
      account: account, device: device, signPublicKey: signKey, kemPublicKey: kemKey, deviceEpoch: epoch)
    try test.require("payload", payload)
    let credential = try DeviceCertificates.certify(
      rootSeed: Data(seed), device: device, signPublicKey: signKey, kemPublicKey: kemKey, deviceEpoch: epoch)
    let expected = try test.expect.text("credential")
    try require("the credential's signed part", credential.dropLast(128), is: expected.dropLast(128))
    let signature = try test.expect.bytes("signature")
    try require("the credential's signature", expected.suffix(128), is: Hex.encode(signature)[...])
    try test.requireSignature(
      "the credential's signature", try Hex.decode(String(credential.suffix(128))), is: signature,
      by: root.publicKey.bytes, of: Array(payload))
  }

  private static let credentialVerify: @Sendable (AccountCase) throws -> Void = { test in
    let text = try test.input.text("credential")
    let verdict = try test.expect.text("verdict")
    let credential: DeviceCredential
    do throws(CredentialFlaw) {
      credential = try DeviceCertificates.verified(text)
    } catch {
      return try require("the verdict", name(of: error), is: verdict)
    }
    try require("the verdict", "ok", is: verdict)
    try test.require("rootPublicKey", credential.rootPublicKey)
    try test.require("account", credential.account)
    try test.require("device", credential.device)
    try test.require("signPublicKey", credential.signPublicKey)
    try test.require("kemPublicKey", credential.kemPublicKey)
    try test.require("signature", credential.signature)
    try require("keyEpoch", Int(credential.keyEpoch), is: try test.expect.number("keyEpoch"))
    try require("deviceEpoch", Int(credential.deviceEpoch), is: try test.expect.number("deviceEpoch"))
  }

  static func name(of flaw: CredentialFlaw) -> String {
    switch flaw {
    case .notHex: "notHex"
    case .length: "length"
    case .genesisVersion: "genesisVersion"
    case .handoffChain: "handoffChain"
    case .accountMismatch: "accountMismatch"
    case .deviceNotMinted: "deviceNotMinted"
    case .badSignature: "badSignature"
    }
  }

  private static let rootStatements: @Sendable (AccountCase) throws -> Void = { test in
    let seed = try test.input.bytes("rootSeed", count: 32)
    let account = try test.input.bytes("account", count: 32)
    let kind = try test.input.text("kind")
    let signed: RootStatements.Signed
    let whole: String
    switch kind {
    case "revocation":
      signed = try RootStatements.revocation(
        rootSeed: seed, account: account, device: try test.input.bytes("device", count: 32),
        keyEpoch: try test.input.small("keyEpoch"))
      whole = "proof"
    case "handoff":
      signed = try RootStatements.handoff(
        rootSeed: seed, account: account, fromEpoch: try test.input.small("fromEpoch"),
        newRootKey: try test.input.bytes("newRootPublicKey", count: 32))
      whole = "handoff"
    default: throw Mismatch("nobody knows the kind \(kind)")
    }
    try test.require("payload", signed.payload)
    let signature = try test.expect.bytes("signature")
    try test.requireSignature(
      "the signature", signed.signature, is: signature,
      by: try Ed25519.PrivateKey(seed: seed).publicKey.bytes,
      of: signed.payload)
    try require("the \(whole)", signed.bytes.dropLast(64) + signature, is: try test.expect.bytes(whole))
  }
}
