import Foundation
import MeroHTTP
import MeroWire

/// Compares what a node is about to send with the API document: successes, refusals and the frames of event streams
/// (70 §2.25). Each check answers what does not fit, in words, or nil.
///
/// None of it needs the cluster's state, so it is done once that was given up.
struct AnswerChecks: Sendable {
  let document: APIDocument

  /// What is wrong with a success that is JSON or nothing.
  func problem(of json: JSONValue?, status: Int, for operation: ServedOperation) -> String? {
    switch (operation.responses[status], json) {
    case (.json(let schema)?, let json?): return mismatch(of: json, with: schema)
    case (.empty?, nil): return nil
    default: return "the document has no such answer"
    }
  }

  /// What is wrong with answering bytes.
  func problem(ofBytes status: Int, for operation: ServedOperation) -> String? {
    if case .bytes? = operation.responses[status] { return nil }
    return "the document has no such answer"
  }

  /// What is wrong with answering a stream.
  func problem(ofStream status: Int, for operation: ServedOperation) -> String? {
    if case .stream? = operation.responses[status] { return nil }
    return "the document has no such answer"
  }

  /// What is wrong with the body of a refusal.
  func problem(ofRefusal body: JSONValue, status: Int) -> String? {
    if let schema = document.errorBody, let found = mismatch(of: body, with: schema) { return found }
    guard let schema = document.details[status] else { return nil }
    guard let details = body["error"]?["details"] else { return "error.details is missing" }
    return mismatch(of: details, with: schema).map { "error.details \($0)" }
  }

  /// What is wrong with a part of an event stream, which holds whole frames.
  func problems(ofFrames part: Data) -> [String] {
    // A comment keeps the stream alive and says nothing.
    guard part.first != UInt8(ascii: ":") else { return [] }
    var parser = SSEParser(maxEventBytes: .max)
    var problems: [String] = []
    do {
      try parser.feed(part) { if let found = problem(of: $0) { problems.append(found) } }
    } catch {
      problems.append("a frame cannot be read")
    }
    if parser.finish() { problems.append("a frame has no end") }
    return problems
  }

  private func problem(of frame: ServerSentEvent) -> String? {
    guard let json = try? JSONValue(parsing: Data(frame.data.utf8)) else { return "an event is not JSON" }
    if let schema = document.schemas["AppEvent"], let found = mismatch(of: json, with: schema) {
      return "an event: \(found)"
    }
    let kind = json["kind"]?.stringValue ?? ""
    guard frame.event ?? "" == kind else { return "an event's frame names another kind than it has" }
    guard frame.id == json["cursor"]?.stringValue else {
      return "\(kind): the frame's id is not the event's cursor"
    }
    guard kind.hasPrefix("calimero.") else { return nil }
    guard let schema = document.eventData[kind] else { return "\(kind) is no kind of the document" }
    return mismatch(of: json["data"] ?? .null, with: schema).map { "\(kind): data \($0)" }
  }

  private func mismatch(of json: JSONValue, with schema: Schema) -> String? {
    document.schemas.mismatch(of: json, with: schema).map {
      $0.path.isEmpty ? $0.reason : "\($0.path) \($0.reason)"
    }
  }
}
