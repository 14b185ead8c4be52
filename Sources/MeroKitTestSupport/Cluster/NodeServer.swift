import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// Serves one request that arrived inside an envelope, or one of the two that may come without: routing, checking
/// against the document, running, waiting, and checking the answer.
struct NodeServer: Sendable {
  struct Answer: Sendable {
    let response: HTTPResponse
    let operation: String?
    /// The code of a refusal.
    let code: String?
  }

  let node: FakeCloudNode
  let store: ClusterStore
  let document: APIDocument
  let notes: ClusterNotes

  /// `note` is told once what the request turned out to be.
  func serve(
    _ request: SealedInnerRequest, requestId: String, idleTimeout: TimeInterval?,
    note: (Exchange?) -> Void
  ) async throws -> Answer {
    let split = request.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let found = document.route(request.method, String(split.first ?? ""))
    guard let (operation, path) = found else {
      note(nil)
      notes.unfit.note("\(request.method): no operation of the document")
      if let refusal = takeFault(nil) { return refuse(refusal, nil, requestId) }
      return check(.notFound("operation"), nil, requestId)
    }
    var exchange = Exchange(
      request, operation: operation, path: path, query: split.count > 1 ? split[1] : nil, node: node.index,
      requestId: requestId, now: store.now, document: document, idleTimeout: idleTimeout)
    note(exchange)
    if let problem = exchange.problem { notes.unfit.note("\(operation.id): \(problem.message)") }
    if let refusal = takeFault(operation.id) { return refuse(refusal, operation, requestId) }
    do {
      if operation.id == "public_attest" {
        return answer(200, await node.attest(try exchange.fields()), operation, requestId)
      }
      guard let handler = ClusterState.handlers[operation.id] else {
        return refuse(
          Refusal(501, "NOT_SUPPORTED", "the fake cluster does not serve \(operation.id)"), operation,
          requestId)
      }
      return try await run(handler, &exchange)
    } catch let refusal as Refusal {
      return check(refusal, operation, requestId)
    }
  }

  private func takeFault(_ operation: String?) -> Refusal? {
    node.faults.withLock { $0.takeAnswer(for: operation) }
  }

  /// Runs the operation, again after each wait it asks for.
  private func run(_ handler: @escaping ClusterState.Handler, _ exchange: inout Exchange) async throws
    -> Answer
  {
    let start = store.clock.uptime()
    var isNew = !exchange.isResumed
    while true {
      let asked = exchange
      let outcome: Outcome
      do {
        outcome = try store.answer(isTold: \.isTold) { state in
          // A node that leaves service finishes what it has begun.
          if isNew, !asked.operation.isUnsealed, let refusal = state.refusal(ofNode: node.index) {
            throw refusal
          }
          return try state.run(handler, store, asked)
        }
      } catch let refusal as Refusal {
        // What was kept meanwhile is nobody's.
        if let piece = asked.kept { try? store.blobBytes.remove(piece.name) }
        throw refusal
      }
      isNew = false
      switch outcome {
      case .answer(let status, let json):
        return answer(status, json, exchange.operation, exchange.requestId)
      case .bytes(let status, let fields, let data):
        return bytes(status, fields, HTTPBody(data), exchange)
      case .pieces(let status, let fields, let pieces, let range):
        return bytes(
          status, fields, BlobReading(pieces, range, from: store.blobBytes).body(), exchange)
      case .keep(let piece):
        do {
          try store.blobBytes.put(exchange.body, as: piece.name)
        } catch {
          // The keeper of the bytes says so to whoever runs the cluster.
          throw Refusal(503, "UNAVAILABLE", "the node cannot keep files now", retryAfterMs: 1000)
        }
        exchange.kept = piece
      case .hash(let pieces):
        let size = pieces.reduce(0) { $0 + $1.size }
        var reading = BlobReading(pieces, 0..<size, from: store.blobBytes)
        exchange.hashed = (pieces, try reading.hash())
      case .stream(let follower):
        return stream(follower, exchange)
      case .waitForChange(let waiter, let seconds):
        let left = seconds - (store.clock.uptime() - start)
        defer { store.withState { $0.remove(waiter) } }
        if left > 0 { try await waiter.wait(atMost: left, clock: store.clock) }
        exchange.isTimeUp = store.clock.uptime() - start >= seconds
      case .pause(let seconds, let begun):
        exchange.begun = begun
        let paused = exchange
        return try await store.paused.finish {
          try await store.clock.sleep(seconds)
          var resumed = paused
          resumed.now = store.now
          return try await run(handler, &resumed)
        }
      }
      exchange.now = store.now
    }
  }

  private func answer(
    _ status: Int, _ json: JSONValue?, _ operation: ServedOperation, _ requestId: String
  ) -> Answer {
    if let problem = checks.problem(of: json, status: status, for: operation) {
      return violate("\(operation.id) \(status): \(problem)", operation, requestId)
    }
    let content = json.map { ($0.data(), "application/json") }
    return Answer(
      response: HTTPResponse(
        status: status, headers: headers(content?.1, requestId),
        body: content.map { HTTPBody($0.0) } ?? .empty),
      operation: operation.id, code: nil)
  }

  private func bytes(
    _ status: Int, _ fields: HTTPHeaders, _ body: HTTPBody, _ exchange: Exchange
  ) -> Answer {
    let operation = exchange.operation
    if let problem = checks.problem(ofBytes: status, for: operation) {
      body.cancel()
      return violate("\(operation.id) \(status): \(problem)", operation, exchange.requestId)
    }
    var all = headers("application/octet-stream", exchange.requestId)
    for (name, value) in fields { all[name] = value }
    return Answer(
      response: HTTPResponse(status: status, headers: all, body: body), operation: operation.id, code: nil)
  }

  private func stream(_ follower: EventFollower, _ exchange: Exchange) -> Answer {
    let (operation, checks, notes) = (exchange.operation, checks, notes)
    // What was sent cannot be taken back, so a frame that does not fit is noted and nothing else.
    let body = follower.body { part in
      for problem in checks.problems(ofFrames: part) { notes.violate("\(operation.id): \(problem)") }
    }
    if let problem = checks.problem(ofStream: 200, for: operation) {
      body.cancel()
      return violate("\(operation.id) 200: \(problem)", operation, exchange.requestId)
    }
    return Answer(
      response: HTTPResponse(
        status: 200, headers: headers("text/event-stream", exchange.requestId), body: body),
      operation: operation.id, code: nil)
  }

  private var checks: AnswerChecks { AnswerChecks(document: document) }

  /// Refuses in a way the document must know. Whatever is asked of an app that is not ready is refused (70 §2.20), also
  /// where the document does not repeat that.
  private func check(_ refusal: Refusal, _ operation: ServedOperation?, _ requestId: String) -> Answer {
    let place = "\(operation?.id ?? "no operation"): \(refusal.status) \(refusal.code)"
    guard isKnown(refusal, of: operation), document.statuses[refusal.code] == refusal.status else {
      return violate("\(place) is not among its answers", operation, requestId)
    }
    if let problem = checks.problem(ofRefusal: refusal.body(requestId: requestId), status: refusal.status) {
      return violate("\(place): \(problem)", operation, requestId)
    }
    return refuse(refusal, operation, requestId)
  }

  private func isKnown(_ refusal: Refusal, of operation: ServedOperation?) -> Bool {
    guard let operation else { return true }
    if operation.responses[refusal.status] != nil || refusal.code == "APP_NOT_READY" { return true }
    return refusal.status == 412 && store.withState { $0.confirmedToo.contains(operation.id) }
  }

  private func violate(_ text: String, _ operation: ServedOperation?, _ requestId: String) -> Answer {
    notes.violate(text)
    return refuse(
      Refusal(500, "INTERNAL", "the fake node's answer does not fit the API document: \(text)"), operation,
      requestId)
  }

  private func refuse(_ refusal: Refusal, _ operation: ServedOperation?, _ requestId: String) -> Answer {
    var headers = headers("application/json", requestId)
    if let wait = refusal.retryAfterMs, refusal.status == 429 || refusal.status == 503 {
      headers["retry-after"] = "\((wait + 999) / 1000)"
    }
    return Answer(
      response: HTTPResponse(
        status: refusal.status, headers: headers,
        body: HTTPBody(refusal.body(requestId: requestId).data())),
      operation: operation?.id, code: refusal.code)
  }

  private func headers(_ contentType: String?, _ requestId: String) -> HTTPHeaders {
    var headers: HTTPHeaders = ["x-calimero-node": node.id, "x-calimero-request-id": requestId]
    headers["content-type"] = contentType
    return headers
  }
}
