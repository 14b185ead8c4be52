import Foundation
import MeroHTTP
import MeroSealed

/// The consent page's way into node one (70 §2.14).
///
/// A page of a real cluster speaks the sealed channel from the browser; here the browser is on the same machine as the node,
/// and the few operations that the page needs are served to it in the clear, to the page's own origin and to nobody else.
struct ConsentDoor: Sendable {
  /// What the page may ask: to sign in, to answer, and to sign out again.
  private static let operations: Set<String> = [
    "auth_signin_begin", "auth_signin_finish", "auth_signout", "consent_approve", "consent_deny",
  ]
  private static let page = "/consent"
  private static let api = "/consent/api"

  let store: ClusterStore
  let document: APIDocument
  /// Whether the cluster is one for development: it attests with mock quotes and has passkeys of localhost.
  let isMock: Bool
  /// Answers a request as if it had come sealed.
  let serve: @Sendable (SealedInnerRequest) async throws -> HTTPResponse

  /// The answer to a request for the page or from it; nil when it is not the page's business.
  func answer(_ request: HTTPRequest, _ target: String) async throws -> HTTPResponse? {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    let fields: [String: String]
    switch path {
    case Self.page where request.method == .get:
      fields = NodeExchange.readQuery(parts.count > 1 ? parts[1] : nil)
      return show(fields["request"] ?? "", request)
    case Self.page where request.method == .post:
      fields = NodeExchange.readQuery(String(decoding: Self.body(of: request), as: UTF8.self)[...])
      return submit(fields, request)
    case "/invite" where request.method == .get: return InvitePage.page
    case _ where path.hasPrefix(Self.api + "/"):
      return try await pass(String(target.dropFirst(Self.api.count)), request)
    default: return nil
    }
  }

  // MARK: The page

  private func show(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
    do throws(Refusal) {
      return ConsentPage.form(try contents(of: id, request))
    } catch { return ConsentPage.refusal(error) }
  }

  /// The answer of somebody who gave a name and no passkey.
  private func submit(_ fields: [String: String], _ request: HTTPRequest) -> HTTPResponse {
    let contents: ConsentPage.Contents
    do throws(Refusal) {
      try requireSender(request, type: "application/x-www-form-urlencoded")
      contents = try self.contents(of: fields["request"] ?? "", request)
      guard contents.isDevelopment else {
        throw Refusal(403, "HUMAN_REQUIRED", "this cluster takes a passkey for an answer and nothing else")
      }
    } catch { return ConsentPage.refusal(error) }
    let name = fields["name"] ?? ""
    let scopes = contents.scopes.filter { fields[ConsentPage.scopeField($0)] != nil }
    let (id, now, answer) = (contents.id, store.now, fields["answer"])
    do {
      let address = try store.withState { (state: ClusterState) throws -> String in
        switch answer {
        case "approve": return try state.approve(id, inTheNameOf: name, scopes: scopes, at: now)
        case "deny": return try state.denyWithoutPasskey(id, at: now)
        default: throw Refusal.badRequest("the form has no answer")
        }
      }
      return PageFrame.redirect(to: address)
    } catch let refusal as Refusal {
      return ConsentPage.form(contents, name: name, refusal: refusal)
    } catch {
      return ConsentPage.refusal(Refusal(500, "INTERNAL", "the answer was not taken"))
    }
  }

  private func contents(of id: String, _ request: HTTPRequest) throws(Refusal) -> ConsentPage.Contents {
    let now = store.now
    let isDevelopment = isMock && isOnLoopback(request)
    return try store.withState { (state: ClusterState) throws(Refusal) -> ConsentPage.Contents in
      guard let asked = state.consents[id] else { throw Refusal.notFound("consent request") }
      guard asked.state(at: now) == "open" else { throw Refusal.consentExpired }
      return ConsentPage.Contents(
        id: id, package: asked.package, packageName: state.displayName(of: asked.package),
        publisher: state.publisherName(of: asked.package), scopes: asked.scopes, apps: asked.apps,
        redirectUri: asked.redirectUri, isDevelopment: isDevelopment)
    }
  }

  // MARK: The page's own requests

  private func pass(_ path: String, _ request: HTTPRequest) async throws -> HTTPResponse? {
    let route = document.route(request.method.rawValue, String(path.prefix { $0 != "?" }))
    guard let (operation, _) = route, Self.operations.contains(operation.id) else { return nil }
    do {
      let body = Self.body(of: request)
      try requireSender(request, type: body.isEmpty ? nil : "application/json")
      return try await serve(
        SealedInnerRequest(
          method: request.method.rawValue, path: path, headers: request.headers, body: body, requestId: 0,
          sessionId: []))
    } catch let refusal as Refusal { return ConsentPage.refusal(refusal) }
  }

  // MARK: Who asks

  /// Throws unless the request may come from the page itself. Its type is one that no form of another site can send, or
  /// the browser says where it comes from.
  private func requireSender(_ request: HTTPRequest, type: String?) throws(Refusal) {
    let sent = request.headers["content-type"]?.split(separator: ";").first.map { $0.lowercased() }
    guard sent == type else { throw Refusal(403, "FORBIDDEN", "this was not sent by the consent page") }
    guard !PageSender.isElsewhere(request.headers, than: "http://\(authority(of: request))/") else {
      throw Refusal(403, "FORBIDDEN", "this was sent from another site")
    }
  }

  /// Whether the browser reached the node by a name of this machine: a page elsewhere cannot make its own name lead here and
  /// answer in somebody's name.
  private func isOnLoopback(_ request: HTTPRequest) -> Bool {
    guard let host = URLComponents(string: "http://\(authority(of: request))")?.host else { return false }
    return Loopback.isLoopback(host: host)
  }

  private func authority(of request: HTTPRequest) -> String {
    if let host = request.headers["host"] { return host }
    let port = request.url.port.map { ":\($0)" } ?? ""
    return (request.url.host ?? "") + port
  }

  private static func body(of request: HTTPRequest) -> Data {
    if case .data(let data)? = request.body { return data }
    return Data()
  }
}

extension ClusterState {
  /// Approves in the name of an account, for development: nobody shows a passkey.
  fileprivate func approve(
    _ id: String, inTheNameOf name: String, scopes: [String], at now: Int64
  ) throws -> String {
    guard let request = consents[id] else { throw Refusal.notFound("consent request") }
    guard let account = accountsByName[name] else {
      throw Refusal(404, "NOT_FOUND", "there is no account named \(name) here")
    }
    if account.isSuspended { throw Refusal.suspended("account") }
    try requireGrantable(scopes, request.apps, of: request, by: account)
    try requireOpen(request, at: now)
    return approve(request, scopes: scopes, apps: request.apps, by: account, at: now)
  }

  /// Denies for whoever sits before the browser: saying no takes nothing.
  fileprivate func denyWithoutPasskey(_ id: String, at now: Int64) throws -> String {
    guard let request = consents[id] else { throw Refusal.notFound("consent request") }
    try requireOpen(request, at: now)
    return deny(request, by: nil)
  }
}
