import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("What a node's answers mean (vectors)")
struct NodeHTTPVectorTests {
  /// What a vector's request led to.
  private struct Result {
    let outcome: Swift.Result<JSONValue, any Error>
    let transport: ScriptedNode
    let mero: Mero
    let refreshes: Int
  }

  private func run(_ vector: NodeVector) async throws -> Result {
    let path = vector["request"]?["path"].text ?? ""
    let sent = vector["request"]?["sentBearer"]?.stringValue ?? "A1"
    let current = vector["request"]?["currentBearer"]?.stringValue ?? sent
    let store = MemoryTokenStore(.sample(sent, "R1"))
    let mero = Locked<Mero?>(nil)
    let isFirst = Locked(true)
    let transport = ScriptedNode { request in
      // The renewal of a vector that is not about renewing.
      if request.url.path == "/auth/refresh", path != "/auth/refresh" { return .tokens("A2", "R2") }
      if isFirst.withLock({ first in
        defer { first = false }; return first
      }), current != sent {
        await mero.withLock { $0 }?.setTokenData(.sample(current, "R9"))
      }
      if let error = vector["response"]?["transportError"]?.stringValue {
        if error == "cancelled" { throw CancellationError() }
        throw TransportError(kind: .cannotConnect, text: error, mayHaveBeenSent: false)
      }
      let isRenewed = request.bearer == "A2" && vector["expect"]?["retriedWithBearer"] != nil
      return isRenewed ? .json(["data": "done"]) : try Self.response(vector)
    }
    mero.withLock { $0 = Mero.over(transport, store: store) }
    let client = try #require(mero.withLock { $0 })
    _ = await client.isAuthenticated
    if let other = vector["request"]?["storeBearer"]?.stringValue { store.setTokens(.sample(other, "R9")) }
    let outcome = await self.outcome(of: vector, with: client)
    return Result(
      outcome: outcome, transport: transport, mero: client,
      refreshes: path == "/auth/refresh" ? 0 : transport.requests(to: "/auth/refresh").count)
  }

  private static func response(_ vector: NodeVector) throws -> HTTPResponse {
    let response = try #require(vector["response"])
    let headers = response["headers"]?.objectValue.map {
      HTTPHeaders($0.map { ($0.key, $0.value.stringValue ?? "") })
    }
    return HTTPResponse(
      status: try #require(response["status"]?.int), headers: headers ?? [:],
      body: HTTPBody(Data(response["body"].text.utf8)))
  }

  private func outcome(of vector: NodeVector, with mero: Mero) async -> Swift.Result<JSONValue, any Error> {
    let method = HTTPMethod(rawValue: vector["request"]?["method"].text ?? "")
    let path = vector["request"]?["path"].text ?? ""
    let isVoid = vector.expect["value"]?.isNull == true
    do {
      let request = NodeRequest(method, path, body: method == .post ? .emptyObject : nil)
      guard !isVoid else {
        let nothing: JSONValue? = try await mero.http.value(request, JSONValue?.self, .dataOptional)
        return .success(nothing ?? .null)
      }
      // What is not null is anything at all.
      let value: NonNull = try await mero.http.value(request)
      return .success(value.json)
    } catch {
      return .failure(error)
    }
  }

  /// Any value but null.
  private struct NonNull: Decodable, Sendable {
    let json: JSONValue
    init(from decoder: any Decoder) throws {
      json = try decoder.singleValueContainer().decode(JSONValue.self)
      guard !json.isNull else {
        throw DecodingError.valueNotFound(
          JSONValue.self, .init(codingPath: [], debugDescription: "null"))
      }
    }
  }

  @Test("an answer is classified as its vector says", arguments: NodeVectors.group("http"))
  func classified(vector: NodeVector) async throws {
    let result = try await run(vector)
    let expect = vector.expect
    switch (expect["error"]?.stringValue, result.outcome) {
    case (nil, .success(let value)):
      if let bearer = expect["retriedWithBearer"]?.stringValue {
        #expect(result.transport.requests.last?.bearer == bearer)
        #expect(result.transport.requests(to: vector["request"]?["path"].text ?? "").count == 2)
      } else {
        #expect(value == expect["value"])
      }
    case ("http", .failure(MeroError.http(let error))): try check(error, expect, result)
    case ("authRevoked", .failure(MeroError.authRevoked(let reason, let http))):
      #expect(reason == expect["reason"]?.stringValue)
      #expect(http.authError == reason)
    case ("network", .failure(MeroError.network(let text))): #expect(text == "connection refused")
    case ("emptyResponse", .failure(MeroError.emptyResponse)): break
    case ("decoding", .failure(MeroError.decoding(let text))):
      #expect(text.contains(expect["messageContains"].text))
      #expect(text.contains("<!doctype html>"))
    case ("CancellationError", .failure(let error)): #expect(error is CancellationError)
    case (let expected, let outcome):
      Issue.record("expected \(expected ?? "a value"), got \(outcome)")
    }
    try await checkAround(vector, result)
  }

  private func check(_ error: HTTPError, _ expect: JSONValue, _ result: Result) throws {
    #expect(error.status == expect["status"]?.int)
    if let authError = expect["authError"] { #expect(error.authError == authError.stringValue) }
    if let refusal = expect["refusal"] {
      #expect(error.refusal?.message == refusal["message"]?.stringValue)
      #expect(error.refusal?.type == refusal["type"]?.stringValue)
      #expect(error.refusal?.data == refusal["data"])
    }
    if let explanation = expect["explanation"] {
      #expect(error.refusal?.message == explanation.stringValue)
      let text = explanation.stringValue.map { ": \($0)" } ?? ""
      #expect("\(error)" == "HTTP \(error.status) \(error.statusText)\(text)")
      #expect(!error.statusText.isEmpty)
    }
    if let seconds = expect["retryAfterSeconds"]?.double {
      #expect(error.retryAfter(now: Date()) == seconds)
    }
  }

  private func checkAround(_ vector: NodeVector, _ result: Result) async throws {
    let expect = vector.expect
    let attempts = result.transport.requests(to: vector["request"]?["path"].text ?? "").count
    if expect["retried"]?.boolValue == false { #expect(attempts == 1) }
    if let expected = expect["attempts"]?.int { #expect(attempts == expected) }
    if let expected = expect["refreshCalls"]?.int { #expect(result.refreshes == expected) }
    if let cleared = expect["tokensCleared"]?.boolValue {
      #expect(await result.mero.isAuthenticated == !cleared)
    }
    if expect["adoptedFromStore"] == true {
      #expect(await result.mero.currentTokenData()?.accessToken == "A2")
    }
  }

  @Test("paths are joined as the vectors say", arguments: NodeVectors.group("baseUrl"))
  func joined(vector: NodeVector) throws {
    #expect(NodePath.join(vector["base"].text, vector["path"].text) == vector["expect"].text)
    let base = try #require(URL(string: vector["base"].text))
    let url = try NodeHTTP(baseURL: base).address(of: NodeRequest(.get, vector["path"].text))
    #expect(url.absoluteString == vector["expect"].text)
  }

  @Test("waits are as long as the vectors say", arguments: NodeVectors.group("retry"))
  func waits(vector: NodeVector) throws {
    let attempt = try #require(vector["attempt"]?.int)
    let asked = vector["retryAfter"]?.stringValue.flatMap { HTTPDate.span($0, now: Date()) }
    func milliseconds(_ unit: Double) -> Double {
      (NodeRetry.wait(after: attempt, retryAfter: asked, unit: unit) * 1000).rounded()
    }
    if let base = vector["baseDelayMs"]?.double {
      #expect(milliseconds(0.5) == base)
      #expect(milliseconds(0) == vector["minMs"]?.double)
      #expect(milliseconds(1) == vector["maxMs"]?.double)
    }
    if let least = vector["delayMsAtLeast"]?.double { #expect(milliseconds(0) >= least) }
    if let exact = vector["delayMs"]?.double { #expect(milliseconds(0.3) == exact) }
  }
}
