import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed
import MeroWire

/// One inner request at a node, read and checked as far as that needs nothing of the cluster's state.
struct Exchange {
  let operation: ServedOperation
  let node: Int
  /// The path as sent, with its query: what a confirmation or a signature is bound to.
  let target: String
  /// Path parameters, decoded.
  let path: [String: String]
  /// Query items, decoded.
  let query: [String: String]
  let headers: HTTPHeaders
  let body: Data
  /// The SHA-256 of a body of bytes, made before anyone waits for the cluster's state.
  let bodyHash: [UInt8]?
  /// The body as JSON, whether or not it fits the operation.
  let json: JSONValue?
  let requestId: String
  /// What is wrong with query, headers or body; thrown only once the caller may know (70 §2.8).
  let problem: Refusal?
  let idleTimeout: TimeInterval?
  /// The node's clock in Unix milliseconds.
  var now: Int64
  /// What it had begun before it paused; nil for one that did not.
  var begun: Begun?
  /// What the body's bytes were kept as, once that was asked for.
  var kept: BlobPiece?
  /// What was asked to be hashed.
  var hashed: (pieces: [BlobPiece], hash: [UInt8])?
  /// Whether there is no time left to wait for a change.
  var isTimeUp = false

  init(
    _ request: SealedInnerRequest, operation: ServedOperation, path: [String: String], query: Substring?,
    node: Int, requestId: String, now: Int64, document: APIDocument, idleTimeout: TimeInterval?
  ) {
    self.operation = operation
    self.path = path
    self.node = node
    target = request.path
    self.requestId = requestId
    self.now = now
    self.idleTimeout = idleTimeout
    headers = request.headers
    body = request.body
    if case .bytes = operation.body { bodyHash = SHA256.hash(request.body) } else { bodyHash = nil }
    var checks = RequestChecks(operation: operation, schemas: document.schemas)
    self.query = checks.readQuery(query)
    checks.check(headers)
    json = checks.readBody(request.body)
    problem = checks.problem
  }

  /// The body's fields, once everything that comes before the check of shapes was checked.
  func fields() throws -> JSONObject {
    if let problem { throw problem }
    return json?.objectValue ?? [:]
  }

  /// A field as the caller wrote it, for the checks that come before that of shapes.
  func peek(_ name: String) -> String? {
    json?[name]?.stringValue
  }

  /// How many items a page has at most.
  func limit(_ standard: Int) -> Int {
    query["limit"].flatMap { Int($0) } ?? standard
  }

  /// Whether the pause it asked for is over.
  var isResumed: Bool { begun != nil }

  var bearer: String? {
    guard let header = headers["authorization"], header.hasPrefix("Bearer ") else { return nil }
    return String(header.dropFirst("Bearer ".count))
  }
}

extension JSONObject {
  /// The texts of a field that holds an array of them, each once.
  func texts(_ name: String) -> [String] {
    var seen: Set<String> = []
    return (self[name]?.arrayValue ?? []).compactMap(\.stringValue).filter { seen.insert($0).inserted }
  }
}

/// Compares a request with its operation in the document and keeps the first thing that is wrong.
private struct RequestChecks {
  let operation: ServedOperation
  let schemas: SchemaSet
  private(set) var problem: Refusal?

  init(operation: ServedOperation, schemas: SchemaSet) {
    self.operation = operation
    self.schemas = schemas
  }

  mutating func readQuery(_ query: Substring?) -> [String: String] {
    var items: [String: String] = [:]
    for item in query?.split(separator: "&") ?? [] {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts[0].removingPercentEncoding,
        let value = parts.count == 2 ? parts[1].removingPercentEncoding : "", items[name] == nil
      else {
        note(.badRequest("the query is malformed"))
        continue
      }
      items[name] = value
      guard let parameter = operation.query[name] else {
        note(.badRequest("\(name) is not a parameter of \(operation.id)"))
        continue
      }
      check(value, parameter)
    }
    for parameter in operation.query.values where parameter.isRequired && items[parameter.name] == nil {
      note(.badRequest("\(parameter.name) is missing"))
    }
    return items
  }

  mutating func check(_ headers: HTTPHeaders) {
    for parameter in operation.headers {
      if let value = headers[parameter.name] { check(value, parameter) }
    }
  }

  mutating func readBody(_ body: Data) -> JSONValue? {
    switch operation.body {
    case .json(let schema):
      if body.isEmpty {
        if operation.isBodyRequired { note(.badRequest("the body is missing")) }
        return nil
      }
      guard let json = try? JSONValue(parsing: body) else {
        note(.badRequest("the body is not JSON"))
        return nil
      }
      if let mismatch = schemas.mismatch(of: json, with: schema) { note(Refusal(mismatch)) }
      return json
    case .bytes, .stream:
      return nil
    case .empty:
      // A body where none belongs carries only fields the operation does not have.
      if !body.isEmpty { note(.badRequest("\(operation.id) takes no body")) }
      return nil
    }
  }

  private mutating func check(_ text: String, _ parameter: ServedOperation.Parameter) {
    guard let value = typed(text, parameter.schema) else {
      note(.invalidArgument(parameter.name, "cannot be read"))
      return
    }
    if let mismatch = schemas.mismatch(of: value, with: parameter.schema) {
      note(.invalidArgument(parameter.name, mismatch.reason))
    }
  }

  /// A parameter's text as the JSON value its schema speaks of.
  private func typed(_ text: String, _ schema: Schema) -> JSONValue? {
    switch schema {
    case .integer, .number: return JSONNumber(text).map { .number($0) }
    case .boolean: return text == "true" ? true : text == "false" ? false : nil
    default: return .string(text)
    }
  }

  private mutating func note(_ refusal: Refusal) {
    problem = problem ?? refusal
  }
}

/// What an operation comes to.
enum Outcome {
  /// A status and a JSON body, or none.
  case answer(Int, JSONValue?)
  /// Bytes, with the header fields that speak of them.
  case bytes(Int, HTTPHeaders, Data)
  /// A range of a file's bytes, read as they are sent.
  case pieces(Int, HTTPHeaders, [BlobPiece], Range<Int>)
  case stream(EventFollower)
  /// Ask again when the body's bytes are kept as this, which takes too long to be done here.
  case keep(BlobPiece)
  /// Ask again when these bytes were hashed, which takes too long to be done here.
  case hash([BlobPiece])
  /// Ask again when the app has changed, and at the latest after this many seconds.
  case waitForChange(Waiter, seconds: TimeInterval)
  /// Ask again after this many seconds, whether or not the client is still there.
  case pause(seconds: TimeInterval, Begun)

  /// Whether the client hears of it now.
  var isTold: Bool {
    switch self {
    case .answer, .bytes, .pieces, .stream: true
    case .keep, .hash, .waitForChange, .pause: false
    }
  }
}

/// What a request has begun when it pauses: what it goes on with, and what is taken back when it is refused then.
struct Begun {
  /// The key that counts as running.
  var key: IdempotencyTable.Key?
  /// The id of an app that is being made.
  var app: String?
}
