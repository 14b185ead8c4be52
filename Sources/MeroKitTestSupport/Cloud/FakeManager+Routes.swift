import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// The routes of the directory (40 §4.1, §18.2).
extension FakeManager {
  /// How long a challenge is good.
  private static let challengeLife: Int64 = 120_000

  func serve(_ request: FakeRequest) throws -> HTTPResponse {
    // The cloud's routes for devices are anonymous; a token here is one that leaked.
    if request.headers["authorization"] != nil {
      state.withLock { $0.violations.append("\(request.line) carried a token") }
    }
    switch request.method {
    case "GET":
      if let id = try id(request, "/api/cloud/accounts/*/challenge") { return challenge("account", id) }
      if let id = try id(request, "/api/cloud/namespaces/*/challenge") { return challenge("namespace", id) }
      if let id = try id(request, "/api/cloud/accounts/*/relays") { return try relays(request, id) }
      if let id = try id(request, "/api/cloud/namespaces/*/admitters") { return try admitters(request, id) }
    case "POST":
      if let ids = request.parts(of: "/api/cloud/accounts/*/namespaces/*/enable-ha") {
        return try host(request, account: try Self.checked(ids[0]), namespace: try Self.checked(ids[1]))
      }
    default: break
    }
    throw NodeRefusal.noRoute(request)
  }

  private func id(_ request: FakeRequest, _ pattern: String) throws(NodeRefusal) -> String? {
    guard let id = request.parts(of: pattern)?.first else { return nil }
    return try Self.checked(id)
  }

  /// Ids are written in lower case; the cloud does not know another spelling of one.
  private static func checked(_ id: String) throws(NodeRefusal) -> String {
    guard NodeId.read(id) == id else { throw .cloudFields("an id has 64 lower-case hex digits") }
    return id
  }

  // MARK: Reads

  private func challenge(_ kind: String, _ id: String) -> HTTPResponse {
    let nonce = Base64URL.encode(random.bytes(24))
    let end = milliseconds + Self.challengeLife
    state.withLock { $0.challenges[nonce] = Challenge(subject: "\(kind) \(id)", expiresAtMs: end) }
    return .json(
      200, ["\(kind)_id": .string(id), "nonce": .string(nonce), "expires_at_ms": JSONValue(end)])
  }

  private func relays(_ request: FakeRequest, _ account: String) throws(NodeRefusal) -> HTTPResponse {
    let credential = try prove(request, "account \(account)")
    guard Hex.encode(credential.account) == account else {
      throw .cloud(403, "the credential is another account's")
    }
    let (known, assignment) = state.withLock { ($0.relays[account], $0.assignment) }
    let rows = known ?? assignment?(account) ?? []
    return .json(
      200, ["account_id": .string(account), "relays": .array(rows.map { .object($0.json) })])
  }

  private func admitters(_ request: FakeRequest, _ namespace: String) throws(NodeRefusal) -> HTTPResponse {
    if Self.proofHeaders.contains(where: { request.headers[$0] != nil }) {
      _ = try prove(request, "namespace \(namespace)")
    }
    let (known, directory) = state.withLock { ($0.routings[namespace], $0.directory) }
    let found = directory?(namespace) ?? []
    let routing = known ?? Routing(nodes: found, servable: !found.isEmpty, writable: !found.isEmpty)
    return .json(
      200,
      [
        "namespace_id": .string(namespace), "servable": .bool(routing.servable),
        "writable": .bool(routing.writable), "admitters": .array(routing.nodes.map { .object($0.json) }),
      ])
  }

  // MARK: The proof of a read

  private static let proofHeaders = ["x-calimero-credential", "x-calimero-nonce", "x-calimero-signature"]
  private static let proofDomain = Array("calimero.mdma.routing-read.v1".utf8) + [0]

  /// Who signed the challenge of this subject. The challenge is used up, whatever comes of it.
  private func prove(_ request: FakeRequest, _ subject: String) throws(NodeRefusal) -> DeviceCredential {
    let values = Self.proofHeaders.compactMap { request.headers[$0] }
    guard values.count == 3 else { throw .cloud(401, "a proof has three headers") }
    let now = milliseconds
    let challenge = state.withLock { $0.challenges.removeValue(forKey: values[1]) }
    guard let challenge, challenge.subject == subject, now < challenge.expiresAtMs else {
      throw .cloud(403, "the challenge is unknown, used, too old, or another's")
    }
    guard let credential = try? DeviceCredential(hex: values[0], field: "credential") else {
      throw .cloud(403, "the credential does not verify")
    }
    guard Self.isSigned(Self.proofDomain + Array(values[1].utf8), values[2], by: credential) else {
      throw .cloud(403, "the signature does not verify")
    }
    return credential
  }

  static func isSigned(_ message: [UInt8], _ signature: String, by credential: DeviceCredential) -> Bool {
    guard let key = try? Ed25519.PublicKey(bytes: credential.signingKey),
      let signature = Data(base64Encoded: signature)
    else { return false }
    return key.isValid(signature, for: message)
  }
}

extension NodeRefusal {
  /// A refusal as the cloud words it.
  static func cloud(_ status: Int, _ text: String) -> NodeRefusal {
    NodeRefusal(status, text, .json(["detail": .string(text)]))
  }

  /// A request whose fields do not fit: the cloud answers with a list.
  static func cloudFields(_ text: String) -> NodeRefusal {
    NodeRefusal(422, text, .json(["detail": [["msg": .string(text)]]]))
  }
}
