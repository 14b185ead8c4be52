import Foundation
import MeroCrypto
import MeroWire

/// What an account proves itself with in a request of its own: `X-Calimero-Proof` (30 §14).
struct CallerProof: Sendable {
  /// The request as it arrived, and the header it came with.
  struct Request: Sendable {
    let header: String
    let method: String
    /// Without the query.
    let path: String
    let body: Data
  }

  /// A request is good for five minutes at most, and has a body of a megabyte at most.
  private static let longest: UInt64 = 300
  private static let bodyLimit = 1 << 20

  private let credential: DeviceCredential
  private let session: SignedLogin?
  private let method: String
  private let path: String
  private let bodyHash: [UInt8]
  private let issuedAt: UInt64
  private let expiresAt: UInt64
  private let signature: [UInt8]

  private init(hex: String) throws(WireError) {
    var reader = BorshReader(try Hex.decode(hex))
    credential = try DeviceCredential(from: &reader)
    session = try reader.option { (reader) throws(WireError) in try SignedLogin(from: &reader) }
    method = try reader.string()
    path = try reader.string()
    bodyHash = try reader.fixed(32)
    issuedAt = try reader.u64()
    expiresAt = try reader.u64()
    signature = try reader.fixed(64)
    try reader.finish()
  }

  /// Whoever proves itself: 401 for a proof that does not hold, 403 for an account that this node does not serve.
  static func caller(
    _ request: Request, _ state: NodeState, at seconds: Int64
  ) throws(NodeRefusal) -> NodeCaller {
    guard let proof = try? CallerProof(hex: request.header) else { throw invalid }
    let account = Hex.encode(proof.credential.account)
    let isOwn = account == state.governance.identity.account
    guard isOwn || state.relay?.isDelegatedAccessOpen == true else {
      throw .guarding(403, "invalid_proof")
    }
    guard proof.covers(request), proof.isGood(at: seconds), proof.isOf(state.governance.identity.key),
      proof.isSigned, (try? proof.credential.check("proof")) != nil
    else { throw invalid }
    let device = Hex.encode(proof.credential.signingKey)
    return NodeCaller(
      kind: .account, subject: "account \(account) \(device)",
      permissions: FakeNode.accountPermissions.map { NodePermission($0) }, account: account, device: device)
  }

  private static var invalid: NodeRefusal { .guarding(401, "invalid_proof") }

  private func covers(_ request: Request) -> Bool {
    let hash = domainHash("calimero.auth.request.body.v1", [Array(request.body)])
    return method == request.method && path == request.path && request.body.count <= Self.bodyLimit
      && bodyHash == hash
  }

  private func isGood(at seconds: Int64) -> Bool {
    let window = SignedWindow(issuedAt: issuedAt, expiresAt: expiresAt)
    guard window.isOpen(at: seconds, atMost: Self.longest) else { return false }
    guard let session else { return true }
    return SignedWindow(issuedAt: session.issuedAt, expiresAt: session.expiresAt)
      .isOpen(at: seconds, atMost: SignedLogin.longest)
  }

  /// Only a session's proof says which node it is for.
  private func isOf(_ node: String) -> Bool {
    session.map { Hex.encode($0.node) == node } ?? true
  }

  private var isSigned: Bool {
    let parts = [
      Array(method.utf8), Array(path.utf8), bodyHash, SignedLogin.u64(issuedAt), SignedLogin.u64(expiresAt),
    ]
    let signer = session?.sessionKey ?? credential.signingKey
    guard let key = try? Ed25519.PublicKey(bytes: signer),
      key.isValid(signature, for: domainHash("calimero.auth.request.v1", parts))
    else { return false }
    guard let session else { return true }
    return session.deviceKey == credential.signingKey && session.isSigned
  }
}
