import Foundation
import MeroAPI
import MeroWire
import Testing

@testable import MeroKit

@Suite("The facade")
struct FacadeTests {
  @Test("70 §2.23: every operation but the stream has a method, all of tier 1 among them")
  func complete() {
    let streams = APIOperation.all.filter(\.isStream).map(\.id)
    #expect(streams == ["app_event_stream"])
    #expect(
      FacadeCall.all.map(\.operation).sorted() == APIOperation.all.filter { !$0.isStream }.map(\.id).sorted())
  }

  @Test(
    "70 §2.23: each argument goes where the document has it, and each method asks its operation",
    arguments: FacadeCall.all)
  func arguments(_ call: FacadeCall) async throws {
    let caller = RecordingCaller()
    await #expect(throws: CalimeroError.cancelled) { try await call.run(Groups(caller: caller)) }
    let asked = try #require(await caller.asked.first)
    let operation = try #require(asked.request.operation)
    #expect(operation.id == call.operation)
    #expect(asked.hasPasskey == (operation.stepUp != .none))
    #expect(asked.hasSigner == operation.needsOperatorSignature)
    #expect(asked.options.timeout == 3)
    // A confirmation is the engine's to add, not the caller's.
    #expect(asked.request.headers["x-calimero-confirm"] == nil)
    #expect(asked.request.headers["x-calimero-operator-signature"] == nil)

    let parts = asked.request.path.split(separator: "?", maxSplits: 1)
    let expected = operation.pathTemplate.split(separator: "/").map {
      $0 == "{index}" ? "7" : $0.filter { !"{}".contains($0) }
    }
    #expect(parts.first?.split(separator: "/").map(String.init) == expected)
    for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let pair = item.split(separator: "=").map(String.init)
      let words = ["7", "true", "open", "pending", pair.first]
      #expect(pair.count == 2 && words.contains(pair.last), "\(item)")
    }
    if asked.request.headers["content-type"] == "application/json" {
      let body = try JSONValue(parsing: #require(asked.request.body))
      for (name, value) in body.objectValue ?? [:]
      where name != "role" && name != "orgAccess" && name != "state" && name != "verdict" {
        switch value {
        case .string(let text): #expect(text == name)
        case .array(let items): #expect(items == [.string(name)])
        default: break
        }
      }
    } else if let body = asked.request.body {
      #expect(body == FacadeCall.bytes)
      #expect(asked.request.headers["content-type"] == "image/png")
    }
  }

  @Test("a success is the typed value alone")
  func success() async throws {
    let org = #"{"orgId":"o","name":"n","role":"owner","createdAt":1,"memberCount":1}"#
    let groups = Groups(caller: RecordingCaller(bodies: [org, "bytes", ""]))
    // The README's name for the type.
    let answer: Operations.OrgGet.Output.Ok.Body.JsonPayload = try await groups.orgs.get(org: "o")
    #expect(
      answer == Components.Schemas.Org(orgId: "o", name: "n", role: .owner, createdAt: 1, memberCount: 1))
    #expect(try await groups.apps.blobGet(app: "a", blob: "b", range: "bytes=0-4") == Data("bytes".utf8))
    try await groups.orgs.delete(org: "o")
  }

  @Test("a refusal is thrown as it comes")
  func refusal() async {
    let error = CalimeroError.api(APIError(status: 404, code: .notFound, message: "m"))
    let groups = Groups(caller: RecordingCaller([.failure(error)]))
    await #expect(throws: error) { try await groups.orgs.get(org: "o") }
  }

  @Test("an answer that does not fit is a decoding error with operation and path")
  func decoding() async {
    let groups = Groups(caller: RecordingCaller(bodies: [#"{"orgId":1}"#]))
    let error = await #expect(throws: CalimeroError.self) { try await groups.orgs.get(org: "o") }
    guard case .decoding(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.operation == "org_get")
    #expect(failure.path == "orgId")
  }

  @Test("an id that would lead elsewhere is invalid input, and nothing is sent")
  func invalidInput() async {
    let caller = RecordingCaller()
    let error = await #expect(throws: CalimeroError.self) {
      try await Groups(caller: caller).orgs.get(org: "")
    }
    guard case .invalidInput? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(await caller.asked.isEmpty)
  }

  @Test("70 §2.8: every code of the document is a constant with its status")
  func codes() {
    #expect(ErrorCode.table.count == 53)
    #expect(ErrorCode.notFound.rawValue == "NOT_FOUND")
    #expect(ErrorCode.table["CONFIRM_REQUIRED"]?.status == 412)
    for operation in APIOperation.all {
      for code in operation.errorCodes { #expect(ErrorCode.table[code] != nil, "\(code)") }
    }
    #expect(ErrorCode("LATER") == ErrorCode(rawValue: "LATER"))
  }
}
