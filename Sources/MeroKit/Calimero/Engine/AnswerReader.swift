import Foundation
import MeroAPI
import MeroHTTP

/// Reads a node's answer within the limits of 70 §2.2.
struct AnswerReader: Sendable {
  let node: URL
  let request: APIRequest
  let purpose: RequestRun.Purpose

  /// An answer of which as much was read as belongs within the time of a try.
  struct Opened: Sendable {
    var answer: Answer
    /// Bytes of a file, which may take longer than a try as long as they keep coming.
    var rest: HTTPBody?
  }

  /// Reads refusals and JSON whole, and files and streams up to their head.
  func head(of response: HTTPResponse) async throws -> Opened {
    var answer = Answer(status: response.status, headers: response.headers)
    guard answer.isSuccess else {
      answer.body = try await response.body.collectPrefix(AnswerLimit.error)
      answer.refusal = refusal(answer)
      return Opened(answer: answer)
    }
    if purpose.isStream {
      answer.stream = response.body
      return Opened(answer: answer)
    }
    guard wantsJSON else { return Opened(answer: answer, rest: response.body) }
    answer.body = try await collect(response.body, upTo: AnswerLimit.json)
    return Opened(answer: answer)
  }

  /// Whether the limits of JSON hold. By what was asked for: a node that calls its answer something else must not be
  /// given the room and the time of a file.
  private var wantsJSON: Bool {
    request.headers["accept"].map { $0.lowercased().contains("json") } ?? true
  }

  /// Reads what is left.
  func rest(of opened: Opened) async throws -> Answer {
    guard let body = opened.rest else { return opened.answer }
    var answer = opened.answer
    answer.body = try await collect(body, upTo: AnswerLimit.bytes)
    return answer
  }

  private func collect(_ body: HTTPBody, upTo limit: Int) async throws -> Data {
    do {
      return try await body.collect(upTo: limit)
    } catch let error as TransportError where error.kind == .tooLarge {
      throw CalimeroError.decoding(.tooLarge(limit: limit, operation: request.operation?.id))
    }
  }

  private func refusal(_ answer: Answer) -> APIError {
    APIError(
      status: answer.status, retryAfterSeconds: answer.headers["retry-after"].flatMap(seconds),
      requestId: answer.headers["x-calimero-request-id"], body: answer.body, node: node,
      operation: request.operation?.id ?? "\(request.method.rawValue) \(pathWithoutQuery)")
  }

  private var pathWithoutQuery: Substring { request.path.prefix { $0 != "?" } }

  private func seconds(_ text: String) -> TimeInterval? {
    guard let value = TimeInterval(text), value.isFinite, value >= 0 else { return nil }
    return value
  }
}
