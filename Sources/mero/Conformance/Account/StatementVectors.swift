import Foundation
import MeroCrypto
import MeroKit
import MeroWire

/// Logins, proofs of requests, presence, and claims to the cloud (30 §13 to §16).
enum StatementVectors {
  static let checks: [String: @Sendable (AccountCase) throws -> Void] = [
    "loginStatement": loginStatement, "requestProof": requestProof, "presence": presence,
    "ownershipClaim": ownershipClaim, "routingProof": routingProof,
    "cloudLinkUrl": { test in
      let webURL = try test.input.optionalText("cloudWebUrl") ?? AccountLink.defaultWebURL
      let url = try AccountLink.url(
        accountId: try test.input.text("accountId"), callbackURL: try test.input.text("returnTo"),
        webURL: webURL)
      try test.require("url", url.absoluteString)
    },
  ]

  private static func audience(_ object: VectorObject) throws -> LoginAudience {
    let audience: LoginAudience
    switch try object.text("kind") {
    case "webOrigin": audience = .webOrigin(try object.text("origin"))
    case "codeSigningId": audience = .codeSigningId(try object.text("id"))
    case "cli": audience = .cli
    case let kind: throw Mismatch("nobody knows the audience \(kind)")
    }
    try object.finish()
    return audience
  }

  private static let loginStatement: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let keys = try test.keys()
    let statement = LoginStatement(
      node: try input.text("node"), audience: try audience(try input.object("audience")),
      challenge: try input.text("challenge"), sessionKey: try input.text("sessionKey"),
      issuedAt: try input.decimal("issuedAt"), expiresAt: try input.decimal("expiresAt"))
    try test.require("devicePublicKey", keys.signPublicKey)
    let preimage = try statement.preimage(keys: keys)
    let unsigned = try statement.unsigned(keys: keys)
    try test.require("preimage", preimage)
    try test.require("unsigned", unsigned)
    let signature = try test.expect.bytes("signature")
    let signed = try Hex.decode(try statement.signed(keys: keys))
    try require("the statement without its signature", Data(signed.dropLast(64)), is: unsigned)
    try test.requireSignature(
      "the signature", signed.suffix(64), is: signature, by: try Hex.decode(keys.signPublicKey),
      of: Array(preimage))
    try require("the statement", Array(unsigned) + signature, is: try test.expect.bytes("statement"))
  }

  private static let requestProof: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let keys = try test.keys()
    let credential = try input.text("credential")
    let proof = RequestProof(
      method: try input.text("method"), path: try input.text("path"), body: Data(try input.text("body").utf8),
      issuedAt: try input.decimal("issuedAt"), expiresAt: try input.decimal("expiresAt"))
    try test.require("bodyHash", proof.bodyHash)
    try test.require("preimage", proof.preimage)
    let signature = try test.expect.bytes("signature")
    try require("the request's part", proof.unsigned + signature, is: try test.expect.bytes("request"))

    let value: String
    let signer: [UInt8]
    var session: [UInt8] = []
    if input.has("session") {
      let login = try input.object("session")
      let seed = try login.bytes("sessionSeed", count: 32)
      signer = try Ed25519.PrivateKey(seed: seed).publicKey.bytes
      let statement = LoginStatement(
        node: try login.text("node"), audience: try audience(try login.object("audience")),
        challenge: try login.text("challenge"), sessionKey: Hex.encode(signer),
        issuedAt: try login.decimal("issuedAt"), expiresAt: try login.decimal("expiresAt"))
      try login.finish()
      session = try test.expect.bytes("sessionStatement")
      let signed = try Hex.decode(try statement.signed(keys: keys))
      try test.requireSignature(
        "the session's signature", signed.suffix(64), is: Array(session.suffix(64)),
        by: try Hex.decode(keys.signPublicKey), of: Array(try statement.preimage(keys: keys)))
      try require("the session", signed.dropLast(64), is: session.dropLast(64))
      value = try proof.value(
        credential: credential, statement: Hex.encode(session), sessionSecret: Data(seed))
    } else {
      signer = try Hex.decode(keys.signPublicKey)
      value = try proof.value(credential: credential, keys: keys)
    }
    let header = try test.expect.text("header")
    try require("the header before its signature", value.dropLast(128), is: header.dropLast(128))
    try require("the header's end", header.suffix(128), is: Hex.encode(signature)[...])
    try test.requireSignature(
      "the signature", try Hex.decode(String(value.suffix(128))), is: signature, by: signer,
      of: Array(proof.preimage))
  }

  private static let presence: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let keys = try test.keys()
    // Absent retracts; an empty slice does not.
    let text = try input.value("stateHex")
    let state = text.isNull ? nil : try Hex.decode(try input.text("stateHex"))
    let context = try input.text("contextId")
    let (sequence, sentAt) = (try input.decimal("seq"), try input.decimal("sentAtMs"))
    try test.require("author", keys.signPublicKey)
    try test.require("stateHash", PresenceStatement.stateHash(state))
    let statement = try PresenceStatement.signingBytes(
      contextId: context, author: keys.signPublicKey, seq: sequence, sentAtMs: sentAt, state: state)
    try test.require("statement", statement)
    let intent = try PresenceStatement.signedIntent(
      contextId: context, state: state, seq: sequence, sentAtMs: sentAt, keys: keys,
      authorProof: try input.text("credential"))
    let signature = try test.expect.text("signature")
    try test.requireSignature(
      "the signature", try Hex.decode(intent.signature), is: try Hex.decode(signature),
      by: try Hex.decode(keys.signPublicKey), of: Array(statement))
    var body = try JSONValue(parsing: try test.expect.text("bodyText")).objectValue ?? [:]
    try require("the body's signature", body["signature"], is: .string(signature))
    body["signature"] = .string(intent.signature)
    try require("the body", intent.json, is: .object(body))
    try require(
      "the body as it is written", try JSONValue(parsing: JSONEncoder().encode(intent)), is: intent.json)
  }

  private static let ownershipClaim: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let keys = try test.keys()
    let audience: AccountHaClaim.Audience
    switch try input.text("kind") {
    case "ha": audience = .account
    case "session": audience = .login(email: try input.text("subject"))
    case let kind: throw Mismatch("nobody knows the kind \(kind)")
    }
    let now = Date(timeIntervalSince1970: Double(try input.number("nowMs")) / 1000)
    let claim = try AccountHaClaim(
      namespaceId: try input.text("namespaceId"), accountId: try input.text("accountId"),
      salt: try input.text("salt"), audience: audience, relayURL: try input.optionalText("relayUrl"),
      now: now,
      lifetime: try input.small("ttlMs"), nonce: Data(try input.bytes("nonce", count: 16)))
    try test.require("payloadText", claim.payload)
    let credential = try input.text("credential")
    let signed = try claim.signed(credential: credential, keys: keys)
    let expected = try test.expect.object("proof")
    let signature = try expected.base64("signature")
    try test.requireSignature(
      "the signature", Data(base64Encoded: signed.signature) ?? Data(), is: signature,
      by: try Hex.decode(keys.signPublicKey),
      of: Array("calimero.mdma.account-ownership-claim.v1\0".utf8) + Array(claim.payload.utf8))
    try require("kind", signed.json["kind"]?.stringValue ?? "", is: try expected.text("kind"))
    try require(
      "credential", signed.json["credential"]?.stringValue ?? "", is: try expected.text("credential"))
    try require(
      "signed_payload", signed.json["signed_payload"]?.stringValue ?? "",
      is: try expected.text("signed_payload"))
    try require("signature", signed.json["signature"], is: .string(signed.signature))
    try expected.finish()
  }

  private static let routingProof: @Sendable (AccountCase) throws -> Void = { test in
    let nonce = try test.input.text("nonce")
    let keys = try test.keys()
    let headers = try RoutingProof.headers(
      nonce: nonce, credential: try test.input.text("credential"), keys: keys)
    let expected = try test.expect.object("headers")
    let signature = try expected.base64("X-Calimero-Signature")
    try test.requireSignature(
      "the signature", Data(base64Encoded: headers["X-Calimero-Signature"] ?? "") ?? Data(), is: signature,
      by: try Hex.decode(keys.signPublicKey),
      of: Array("calimero.mdma.routing-read.v1\0".utf8) + Array(nonce.utf8))
    for name in ["X-Calimero-Credential", "X-Calimero-Nonce"] {
      try require(name, headers[name] ?? "", is: try expected.text(name))
    }
    try require("the number of headers", headers.count, is: expected.keys.count)
    try expected.finish()
  }
}
