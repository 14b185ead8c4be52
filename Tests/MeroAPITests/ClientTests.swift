import Foundation
import MeroAPI
import Testing

@Suite("The generated client")
struct ClientTests {
  private struct Lost: Error, Equatable {}

  /// Answers what it is told, and turns failures into an error of its own if told to.
  private struct Canned: APITransport {
    var answer: @Sendable (APIRequest) throws -> APIResponse
    var translates = false

    func send(_ request: APIRequest) async throws -> APIResponse { try answer(request) }
    func error(for failure: APIFailure) -> any Error { translates ? Lost() : failure }
  }

  /// A transport that says nothing about errors.
  private struct Plain: APITransport {
    func send(_ request: APIRequest) async throws -> APIResponse {
      APIResponse(status: 200, body: Data("[]".utf8))
    }
  }

  @Test("an answer is a value, a refusal included")
  func refusal() async throws {
    let client = Client(
      transport: Canned { request in
        #expect(request.path == "/orgs/o")
        return APIResponse(status: 404, body: Data(#"{"error":{"code":"NOT_FOUND","message":"m"}}"#.utf8))
      })
    guard case .notFound(let refusal) = try await client.orgGet(.init(path: .init(org: "o"))) else {
      Issue.record("not found was expected")
      return
    }
    #expect(refusal.body.json.error.code == "NOT_FOUND")
  }

  @Test("what the transport throws passes through unchanged")
  func lost() async {
    let client = Client(transport: Canned { _ in throw Lost() })
    await #expect(throws: Lost.self) { try await client.opsStatus() }
  }

  @Test("a request that cannot be written is not sent, and the transport says which error that is")
  func invalidInput() async {
    let silent = Canned(answer: { _ in
      Issue.record("nothing was to be sent")
      throw CancellationError()
    })
    var translating = silent
    translating.translates = true
    await #expect(throws: APIFailure.self) {
      try await Client(transport: silent).orgGet(.init(path: .init(org: "..")))
    }
    await #expect(throws: Lost.self) {
      try await Client(transport: translating).orgGet(.init(path: .init(org: "..")))
    }
  }

  @Test("an answer that cannot be read is an error with the operation's name")
  func unreadable() async {
    let error = await #expect(throws: APIFailure.self) { try await Client(transport: Plain()).orgList() }
    guard case .decoding("org_list", _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
