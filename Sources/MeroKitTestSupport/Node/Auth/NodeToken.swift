import Foundation
import MeroCrypto
import MeroWire

/// What a token of the node says (10 §2.3).
struct NodeClaims: Sendable, Hashable {
  enum Kind: String, Sendable { case access, refresh }

  var subject: String
  var keyId: String
  var id: String
  var kind: Kind
  var issuedAt: Int64
  var expiresAt: Int64
  var permissions: [String]
  /// The host the token is bound to.
  var nodeURL: String?

  /// A token is good for a minute longer than it says, as clocks differ.
  static let leeway: Int64 = 60
}

/// Signs and reads tokens: JWTs under HS256 with the node's secret.
struct TokenSigner: Sendable {
  let secret: [UInt8]

  func sign(_ claims: NodeClaims) -> String {
    var payload: JSONObject = [
      "sub": .string(claims.subject), "iss": "calimero-auth", "aud": "calimero-node",
      "exp": JSONValue(claims.expiresAt), "iat": JSONValue(claims.issuedAt), "jti": .string(claims.id),
      "token_type": .string(claims.kind.rawValue),
      "permissions": .array(claims.permissions.map { .string($0) }),
      "key_id": .string(claims.keyId),
    ]
    payload["node_url"] = claims.nodeURL.map { .string($0) }
    let header: JSONValue = ["typ": "JWT", "alg": "HS256"]
    let signed = Base64URL.encode(header.data()) + "." + Base64URL.encode(JSONValue.object(payload).data())
    return signed + "." + Base64URL.encode(HMACSHA256.authenticate(Array(signed.utf8), key: secret))
  }

  /// The claims of a token with a right signature, expired or not; nil for anything else.
  func read(_ token: String) -> NodeClaims? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let signature = try? Base64URL.decode(String(parts[2])),
      let header = Self.json(parts[0]), header["alg"]?.stringValue == "HS256"
    else { return nil }
    let expected = HMACSHA256.authenticate(Array("\(parts[0]).\(parts[1])".utf8), key: secret)
    guard ConstantTime.equal(expected, signature), let payload = Self.json(parts[1]) else { return nil }
    guard let subject = payload["sub"]?.stringValue, let keyId = payload["key_id"]?.stringValue,
      let id = payload["jti"]?.stringValue, let issuedAt = payload["iat"]?.int64,
      let expiresAt = payload["exp"]?.int64,
      let kind = payload["token_type"]?.stringValue.flatMap(NodeClaims.Kind.init),
      let permissions = payload["permissions"]?.arrayValue
    else { return nil }
    return NodeClaims(
      subject: subject, keyId: keyId, id: id, kind: kind, issuedAt: issuedAt, expiresAt: expiresAt,
      permissions: permissions.compactMap(\.stringValue), nodeURL: payload["node_url"]?.stringValue)
  }

  private static func json(_ part: Substring) -> JSONValue? {
    guard let bytes = try? Base64URL.decode(String(part)) else { return nil }
    return try? JSONValue(parsing: Data(bytes))
  }
}
