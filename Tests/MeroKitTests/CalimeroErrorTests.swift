import Foundation
import MeroWire
import Testing

@testable import MeroKit

@Suite("What a client's errors say")
struct CalimeroErrorTests {
  private static let node = URL(string: "http://127.0.0.1:2501")!

  private func refusal(_ status: Int, _ body: String) -> APIError {
    APIError(
      status: status, retryAfterSeconds: 3, requestId: "req-header", body: Data(body.utf8), node: Self.node,
      operation: "org_get")
  }

  @Test("70 §2.27 #24: every code of the API document is read as its constant, with whether it ran")
  func knownCodes() {
    #expect(ErrorCode.table.count > 40)
    for (code, entry) in ErrorCode.table {
      let error = refusal(entry.status, #"{"error":{"code":"\#(code)","message":"m"}}"#)
      #expect(error.code == ErrorCode(code))
      #expect(error.ran.rawValue == entry.ran)
    }
    #expect(refusal(404, #"{"error":{"code":"NOT_FOUND","message":"m"}}"#).code == .notFound)
    #expect(refusal(422, #"{"error":{"code":"METHOD_FAILED","message":"m"}}"#).ran == .yes)
  }

  @Test("70 §2.27 #24: an unknown code is kept, and its status says whether it ran")
  func unknownCodes() {
    for (status, ran) in [(400, APIError.Ran.no), (418, .no), (500, .unknown), (599, .unknown)] {
      let error = refusal(status, #"{"error":{"code":"NEW_CODE","message":"m","details":{"a":1}}}"#)
      #expect(error.code.rawValue == "NEW_CODE")
      #expect(error.ran == ran)
      #expect(error.details == ["a": 1])
    }
  }

  @Test(
    "70 §2.27 #24: a body that is not an error body is kept in part",
    arguments: ["<html>", "", "{}", "{\"error\":1}"])
  func foreignBodies(body: String) {
    let long = body + String(repeating: "x", count: 1000)
    let error = refusal(502, long)
    #expect(error.code.rawValue == "HTTP_502")
    #expect(error.message == String(long.prefix(200)))
    #expect(error.requestId == "req-header")
    #expect(error.retryAfter == 3)
  }

  @Test("the node's own wait and request id win over the headers'")
  func ownFields() {
    let error = refusal(
      503, #"{"error":{"code":"OVERLOADED","message":"m","requestId":"req-body","retryAfterMs":1500}}"#)
    #expect(error.requestId == "req-body")
    #expect(error.retryAfter == 1.5)
  }

  @Test("exact numbers survive in details")
  func exactDetails() throws {
    let error = refusal(
      422, #"{"error":{"code":"METHOD_FAILED","message":"m","details":{"error":18446744073709551615}}}"#)
    #expect(error.appError?.uint64 == .max)
    #expect(try error.appError(as: UInt64.self) == .max)
  }

  @Test("the app's own error is read as the app's type, or is a decoding error")
  func appError() throws {
    struct Busy: Decodable, Equatable { let until: Int }
    let error = refusal(
      422, #"{"error":{"code":"METHOD_FAILED","message":"m","details":{"error":{"until":5}}}}"#)
    #expect(try error.appError(as: Busy.self) == Busy(until: 5))
    #expect {
      try error.appError(as: [Int].self)
    } throws: {
      if case CalimeroError.decoding(let failure) = $0 { failure.operation == "org_get" } else { false }
    }
    #expect(
      refusal(404, #"{"error":{"code":"NOT_FOUND","message":"m","details":{"error":1}}}"#).appError == nil)
  }

  @Test("a node's words never bring a token into a description")
  func noTokens() {
    let secret = "0123456789abcdefghijABCDEFGHIJ-_0123456789a"
    for prefix in ["cms_", "cmr_", "cmk_"] {
      let body = #"{"error":{"code":"X","message":"bad \#(prefix)\#(secret), see cms_docs"}}"#
      for error in [refusal(400, body), refusal(400, "<p>\(prefix)\(secret)</p>")] {
        #expect(!"\(CalimeroError.api(error))".contains(secret))
        #expect(error.message.contains("\(prefix)…"))
      }
      #expect(refusal(400, body).message.hasSuffix(", see cms_docs"))
    }
  }

  @Test("a refusal's description names operation, node, code and request, and what to do")
  func description() {
    let text = CalimeroError.api(refusal(503, #"{"error":{"code":"OVERLOADED","message":"busy"}}"#))
      .description
    for part in ["org_get", "http://127.0.0.1:2501", "OVERLOADED", "503", "busy", "req-header", "3 s"] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }

  @Test("what can be tried again, and what may have run")
  func judgements() {
    let unknown = CalimeroError.unknownOutcome(
      UnknownOutcome(cause: "lost", node: Self.node, requestId: "r", idempotencyKey: "k"))
    for (error, isRetryable, mayHaveRun): (CalimeroError, Bool, Bool) in [
      (.unreachable(Unreachable(failures: [])), true, false),
      (.api(refusal(503, "")), true, true), (.api(refusal(429, "")), true, false),
      (.api(APIError(status: 503, code: .behind, message: "")), true, false),
      (.api(APIError(status: 500, code: .internal, message: "")), false, true), (unknown, false, true),
      (.cancelled, false, true), (.signedOut(.never), false, false), (.confirm(.declined), false, false),
      (.attestation(AttestationFailure(reason: .wrongCluster, text: "")), false, false),
    ] {
      #expect(error.isRetryable == isRetryable, "\(error)")
      #expect(error.mayHaveRun == mayHaveRun, "\(error)")
    }
    #expect(unknown.requestId == "r")
    #expect(unknown.code == nil)
  }

  @Test("a node that was tried again and again for one reason is named once")
  func repeatedFailures() {
    let other = URL(string: "https://b.example")!
    let failures = [
      Unreachable.Failure(node: Self.node, cause: "refused"), .init(node: other, cause: "refused"),
      .init(node: Self.node, cause: "refused"), .init(node: Self.node, cause: "timed out"),
    ]
    let text = CalimeroError.unreachable(Unreachable(failures: failures)).description
    #expect(text.components(separatedBy: "\(Self.node.absoluteString): refused").count == 2)
    #expect(text.contains("https://b.example: refused"))
    #expect(text.contains("timed out"))
  }

  @Test("every error says something, without a trailing gap in the sentence")
  func sentences() {
    let errors: [CalimeroError] =
      [
        .api(refusal(404, "")),
        .attestation(AttestationFailure(reason: .mockRefused, node: Self.node, text: "mock")),
        .channel(ChannelFailure(reason: "it is not sealed", code: "sealed_required", node: Self.node)),
        .unreachable(Unreachable(failures: [.init(node: Self.node, cause: "refused")])),
        .unknownOutcome(UnknownOutcome(cause: "lost")), .passkey(.notAllowed(rpId: "example.org")),
        .confirm(.required(action: "org_delete")), .operatorSignature(.invalidKey), .consent(.denied),
        .stream(.cursorExpired(oldest: nil)), .integrity("SHA-256"),
        .decoding(DecodingFailure(path: "a.b", reason: "x")),
        .invalidInput("no name"), .cancelled,
      ]
      + ([.never, .expired, .revoked, .reused, .signedOut, .otherCluster] as [SignedOutReason]).map {
        .signedOut($0)
      }
    for error in errors {
      let text = error.description
      #expect(text.count > 15)
      #expect(!text.contains("  ") && !text.contains("Optional(") && !text.contains(".."), "\(text)")
      #expect(error.localizedDescription == text)
    }
  }

  @Test("only what was not sent is said not to have been sent")
  func notSent() {
    #expect(CalimeroError.invalidInput("no").description == "Not sent: no.")
    #expect(CalimeroError.invalidInput("no.").description == "Not sent: no.")
    let local = CalimeroError.localFailure("the disk is full.")
    #expect(local.description == "On this machine, the disk is full.")
    #expect(local.isLocalFailure && !CalimeroError.invalidInput("no").isLocalFailure)
  }
}
