import Foundation
import MeroHTTP

/// What stands in front of the routes: finds out who asks and whether they may (10 §1.5, §2.4).
enum NodeGuard {
  /// The caller. Throws the guard's refusals, which have no body.
  static func check(_ route: NodeRoute, _ request: Request, _ state: NodeState) throws(NodeRefusal)
    -> NodeCaller
  {
    guard state.isGuarded else { return .owner }
    switch route.access {
    case .everyone: return .nobody
    case .delegated where state.relay?.isDelegatedAccessOpen == true,
      .anySession where state.relay?.isDelegatedAccessOpen == true:
      // The warrant or signature in the body is the credential; a token is looked at when one is sent.
      guard request.bearer != nil else { return .nobody }
      return try caller(request, state)
    case .service where request.bearer == nil: throw .guarding(400, "invalid_request")
    default: break
    }
    let caller = try caller(request, state)
    guard isAllowed(caller, route.access, request) else { throw .guarding(403, "permission_denied") }
    guard isWithinBinding(caller, request, state) else { throw .guarding(403, "permission_denied") }
    return caller
  }

  struct Request {
    let bearer: String?
    let host: String
    let parameters: [String: String]
    let now: Int64
    /// What an account proves itself with where there is no bearer.
    var proof: CallerProof.Request?
  }

  /// Whoever the bearer was made for, or the request's proof. Where there is a bearer, it alone decides.
  static func caller(_ request: Request, _ state: NodeState) throws(NodeRefusal) -> NodeCaller {
    guard let bearer = request.bearer else {
      guard state.relay?.takesProofs == true else { throw .guarding(401, "missing_token") }
      guard let proof = request.proof else { throw .guarding(401, nil) }
      return try CallerProof.caller(proof, state, at: request.now)
    }
    guard let claims = state.auth.claims(of: bearer, .access) else { throw .guarding(401, "invalid_token") }
    guard !state.auth.isForgotten(claims) else { throw .guarding(401, nil) }
    guard !state.auth.isExpired(claims, at: request.now) else { throw .guarding(401, "token_expired") }
    guard let key = state.auth.keys[claims.keyId] else { throw .guarding(401, nil) }
    guard key.isLive(at: request.now), !state.auth.isRevoked(claims) else {
      throw .guarding(403, "token_revoked")
    }
    if let bound = claims.nodeURL, bound != request.host { throw .guarding(403, "invalid_node") }
    var caller = NodeCaller(
      kind: .node, keyId: key.id, subject: claims.subject,
      permissions: claims.permissions.map(NodePermission.init),
      boundContext: key.contextId)
    if case .account(let account, let device) = key.kind {
      caller.kind = .account
      caller.account = account
      caller.device = device
    }
    return caller
  }

  private static func isAllowed(_ caller: NodeCaller, _ access: NodeAccess, _ request: Request) -> Bool {
    func holds(_ template: String) -> Bool {
      caller.holds(NodePermission(template: template, parameters: request.parameters))
    }
    switch access {
    case .everyone, .anySession, .service(nil): return true
    case .service(let template?): return !caller.isAccount && holds(template)
    case .account(let template): return caller.isAccount || holds(template)
    case .token(let template), .delegated(let template): return holds(template)
    }
  }

  /// A client key acts only in the context it is bound to and in that context's group.
  private static func isWithinBinding(_ caller: NodeCaller, _ request: Request, _ state: NodeState) -> Bool {
    guard let bound = caller.boundContext else { return true }
    if let context = request.parameters["context_id"], context.lowercased() != bound { return false }
    let group = request.parameters["group_id"] ?? request.parameters["namespace_id"]
    return group.map { $0.lowercased() == state.contexts[bound]?.groupId } ?? true
  }
}
