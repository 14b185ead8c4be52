import Foundation
import MeroHTTP
import MeroKit
import MeroWire

/// What has to come of an answer.
struct AnswerExpectation {
  private let expect: VectorObject
  private let exchange: AnswerExchange

  init(_ expect: VectorObject, of exchange: AnswerExchange) {
    self.expect = expect
    self.exchange = exchange
  }

  func check(_ outcome: AnswerExchange.Outcome) throws {
    try checkValue(outcome)
    try checkAround(outcome)
  }

  private func checkValue(_ outcome: AnswerExchange.Outcome) throws {
    guard expect.has("error") else {
      if let error = outcome.error { throw Mismatch("thrown: \(error)") }
      if expect.has("value") {
        try require(try expect.value("value").isNull, "an empty answer is no value")
        try checkAnswer(status: 204, body: "")
      } else {
        try checkAnswer(status: 401, body: "")
      }
      return
    }
    let kind = try expect.text("error")
    guard let thrown = outcome.error else { throw Mismatch("nothing was thrown, the file says \(kind)") }
    switch thrown {
    case MeroError.http(let error):
      try require("the error", "http", is: kind)
      try check(error)
    case MeroError.authRevoked(let reason, let http):
      try require("the error", "authRevoked", is: kind)
      try require("the reason", reason, is: try expect.text("reason"))
      try require("what the guard says", http.authError, is: reason)
      try checkAnswer(status: http.status, body: bodyOfGuard)
    case MeroError.network(let text):
      try require("the error", "network", is: kind)
      guard case .refused(text) = exchange.response else { throw Mismatch("the error's text is \(text)") }
    case MeroError.emptyResponse:
      try require("the error", "emptyResponse", is: kind)
      try checkAnswer(status: 200, body: #"{"data":null,"error":null}"#)
    case MeroError.decoding(let text):
      try require("the error", "decoding", is: kind)
      let (status, page) = (try expect.text("messageContains"), "<!doctype html><title>x</title>")
      try require("the error's text", text, is: "status \(status): \(page)")
      try checkAnswer(status: nil, body: page)
    case is CancellationError: try require("the error", "CancellationError", is: kind)
    case let error: throw Mismatch("thrown: \(error), the file says \(kind)")
    }
  }

  private func check(_ error: HTTPError) throws {
    try require("the status", error.status, is: try expect.number("status"))
    let authError = expect.has("authError") ? try expect.textOrNull("authError") : nil
    try require("what the guard says", error.authError, is: authError)
    var body: JSONObject = [:]
    if expect.has("refusal") {
      let refusal = try expect.object("refusal")
      let (message, type) = (try refusal.text("message"), try refusal.textOrNull("type"))
      let data = try refusal.valueIfThere("data")
      try refusal.finish()
      try require(
        "what was refused", error.refusal, is: ErrorRefusal(message: message, type: type, data: data))
      body["error"] = .string(message)
      if let type { body["type"] = .string(type) }
      if let data { body["data"] = data }
    } else if expect.has("explanation") {
      let explanation = try expect.textOrNull("explanation")
      try require("the explanation", error.refusal?.message, is: explanation)
      let end = explanation.map { ": \($0)" } ?? ""
      try require("the error's text", "\(error)", is: "HTTP \(error.status) \(error.statusText)\(end)")
      try require(!error.statusText.isEmpty, "the status has no phrase")
      if let explanation { body = envelope(explanation, error.status) }
    }
    if expect.has("retryAfterSeconds") {
      let wait = error.retryAfter(now: Date(timeIntervalSince1970: 0))
      try require(
        "the wait that is asked for", wait, is: TimeInterval(try expect.number("retryAfterSeconds")))
    }
    try checkAnswer(status: error.status, body: body.isEmpty ? bodyOfGuard : JSONValue.object(body).text)
  }

  /// How the one who says it wraps up an explanation.
  private func envelope(_ explanation: String, _ status: Int) -> JSONObject {
    switch exchange.name {
    case "http-nested-proxy-envelope": ["error": ["message": .string(explanation)]]
    default: ["error": .string(explanation), "status": JSONValue(status)]
    }
  }

  /// The bodies of answers of which nothing is expected but their status and headers.
  private var bodyOfGuard: String {
    switch exchange.name {
    case "http-non-json-error": "<html>nope</html>"
    case "http-not-yet-503": #"{"error":"authority not yet resolvable"}"#
    case "http-401-token-reuse":
      #"{"data":null,"error":"Refresh token reuse detected; re-authentication required"}"#
    case "http-403-invalid-node": #"{"data":null,"error":"Token is not valid for this host."}"#
    case "http-401-refresh-too-early": #"{"data":null,"error":"Access token still valid"}"#
    case "http-429-login":
      #"{"data":null,"error":"Too many failed login attempts; please try again later"}"#
    default: ""
    }
  }

  /// Whether the answer is the one that the case is about.
  private func checkAnswer(status: Int?, body: String) throws {
    guard case .answer(let answer) = exchange.response else { throw Mismatch("there was an answer") }
    try require("the answer's body", answer.body, is: body)
    try require("the answer's status", answer.status, is: status ?? answer.status)
    guard let type = answer.headers["content-type"] else { return }
    try require("its type", type, is: body.hasPrefix("{") ? "application/json" : "text/html")
  }

  // MARK: Around it

  private func checkAround(_ outcome: AnswerExchange.Outcome) throws {
    let attempts = outcome.bearers.count
    try require("the first bearer", outcome.bearers.first, is: exchange.sentBearer)
    if expect.has("attempts") { try require("the attempts", attempts, is: try expect.number("attempts")) }
    if expect.has("retries") { try require("the retries", attempts - 1, is: try expect.number("retries")) }
    if expect.has("retried") { try require("a retry", attempts > 1, is: try expect.flag("retried")) }
    if expect.has("refreshCalls") {
      try require("the refreshes", outcome.refreshes, is: try expect.number("refreshCalls"))
    }
    if expect.has("retriedWithBearer") {
      try require(
        "the bearers", outcome.bearers, is: [exchange.sentBearer, try expect.text("retriedWithBearer")])
    }
    if expect.has("tokensCleared") {
      try require("whether the tokens are gone", outcome.tokens == nil, is: try expect.flag("tokensCleared"))
    }
    if expect.has("adoptedFromStore") {
      let isAdopted = outcome.refreshes == 0 && outcome.tokens?.accessToken == exchange.storeBearer
      try require("whether the stored tokens were taken", isAdopted, is: try expect.flag("adoptedFromStore"))
    }
    // A GET that nobody answers properly is sent three times, of which its case says so only in words.
    if exchange.name == "http-nested-proxy-envelope" { try require("the attempts", attempts, is: 3) }
  }
}
