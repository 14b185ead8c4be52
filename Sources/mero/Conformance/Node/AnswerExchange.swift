import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

/// A request of the client's and the answer that a vector gives it.
struct AnswerExchange: Sendable {
  let name: String
  let path: String
  private let method: String
  /// The access token that the request leaves with.
  let sentBearer: String
  /// The one that is held when the answer comes.
  private let currentBearer: String?
  /// The one that another process has stored.
  let storeBearer: String?
  let response: Response

  enum Response: Sendable {
    case answer(VectorAnswer)
    case refused(String)
    case cancelled
  }

  init(_ name: String, _ object: VectorObject) throws {
    self.name = name
    let request = try object.object("request")
    method = try request.text("method")
    path = try request.text("path")
    sentBearer = request.has("sentBearer") ? try request.text("sentBearer") : "A1"
    currentBearer = request.has("currentBearer") ? try request.text("currentBearer") : nil
    storeBearer = request.has("storeBearer") ? try request.text("storeBearer") : nil
    try request.finish()
    // The first pair of the node is A1, R1; others come after it.
    try require("the first access token", sentBearer, is: "A1")
    let response = try object.object("response")
    guard response.has("transportError") else {
      self.response = .answer(try VectorAnswer(response))
      return
    }
    let text = try response.text("transportError")
    switch text {
    case "cancelled": self.response = .cancelled
    case "connection refused": self.response = .refused(text)
    default: throw Mismatch("a transport does not fail with \(text)")
    }
    try response.finish()
  }

  /// What the client did, and what its caller got.
  struct Outcome: Sendable {
    /// What was thrown; nil when the call returned.
    let error: (any Error)?
    /// The bearers of the requests to the path, in order.
    let bearers: [String?]
    let refreshes: Int
    let tokens: TokenData?
  }

  func outcome() async throws -> Outcome {
    guard let call = Self.calls["\(method) \(path)"] else {
      throw Mismatch("the client never sends \(method) \(path)")
    }
    let store = MemoryTokenStore(.pair(sentBearer, "R1"))
    let client = Locked<Mero?>(nil)
    let node = ScriptedNode { request in
      if request.url.path == "/auth/refresh", path != "/auth/refresh" { return .tokens("A2", "R2") }
      if request.bearer == sentBearer, let currentBearer, currentBearer != sentBearer {
        await client.withLock { $0 }?.setTokenData(.pair(currentBearer, "R9"))
      }
      // Whoever comes with another token than the first has a good one.
      return request.bearer == sentBearer || request.bearer == nil ? try answer() : Self.success(path)
    }
    // Waits between attempts take no time, and nothing is ever too late.
    let mero = Mero.of(node, store: store, timeout: .infinity, clock: .standing())
    client.withLock { $0 = mero }
    defer { client.withLock { $0 = nil } }
    // The client looks at the store once before another process writes there.
    _ = await mero.isAuthenticated
    if let storeBearer { store.setTokens(.pair(storeBearer, "R9")) }
    let error = try await awaiting { () -> (any Error)? in
      do { try await call(mero) } catch { return error }
      return nil
    }
    return Outcome(
      error: error, bearers: node.requests(to: path).map(\.bearer),
      refreshes: path == "/auth/refresh" ? 0 : node.requests(to: "/auth/refresh").count,
      tokens: await mero.currentTokenData())
  }

  private func answer() throws -> HTTPResponse {
    switch response {
    case .answer(let answer): return answer.response
    case .cancelled: throw CancellationError()
    case .refused(let text):
      throw TransportError(kind: .cannotConnect, text: text, mayHaveBeenSent: false)
    }
  }

  private static func success(_ path: String) -> HTTPResponse {
    path == "/jsonrpc"
      ? .json(["jsonrpc": "2.0", "id": 1, "result": ["output": nil]]) : .json(["data": ["contexts": []]])
  }

  // MARK: The client's calls

  /// The calls of the client, by what they send.
  private static let calls: [String: @Sendable (Mero) async throws -> Void] = [
    "GET /admin-api/contexts": { _ = try await $0.admin.getContexts(offset: nil, limit: nil) },
    "POST /admin-api/contexts/\(VectorName.context)/query": {
      _ = try await $0.admin.queryContext(
        VectorName.context, request: QueryContextRequest(method: "get_note"))
    },
    "POST /admin-api/groups": {
      let request = CreateGroupRequest(applicationId: String(repeating: "a", count: 64))
      _ = try await $0.admin.createGroup(request)
    },
    "POST /auth/token": {
      let login = TokenRequest(
        Credentials(username: "ada", password: "a password"), at: Date(timeIntervalSince1970: 1_790_000_000))
      _ = try await $0.auth.generateTokens(login)
    },
    "POST /auth/refresh": {
      _ = try await $0.auth.refreshToken(RefreshTokenRequest(accessToken: "A1", refreshToken: "R1"))
    },
    "POST /jsonrpc": {
      let _: JSONValue = try await $0.rpc.execute(contextId: VectorName.context, method: "get_note")
    },
    "DELETE /admin-api/x": {
      let nothing = try await $0.http.delete("/admin-api/x", as: JSONValue?.self)
      try require("what an empty answer is", nothing, is: nil)
    },
  ]
}
