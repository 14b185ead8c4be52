import Foundation
import MeroHTTP
import MeroWire

/// A node's answer, read to its end.
public struct APIResponse: Sendable {
  /// The status the node gave inside the sealed channel.
  public var status: Int
  /// The answer's headers.
  public var headers: HTTPHeaders
  /// The body's bytes; empty when there is none.
  public var body: Data
  /// The node that answered.
  public var node: URL?

  /// An answer from its parts.
  public init(status: Int, headers: HTTPHeaders = .init(), body: Data = Data(), node: URL? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.node = node
  }

  /// Reads the body as the operation's success value.
  package func json<Payload: Decodable>(
    _ type: Payload.Type = Payload.self, of operation: APIOperation
  ) throws(APIFailure) -> Payload {
    do {
      return try ExactJSON.decode(type, from: body)
    } catch let error as WireError {
      throw .decoding(operation: operation.id, path: error.path, reason: error.reason)
    } catch {
      throw .decoding(operation: operation.id, path: nil, reason: "\(error)")
    }
  }

  /// Reads the body as a refusal's, or nil when it is none: a proxy's page, or nothing.
  func refusal<Payload: Decodable>(_ type: Payload.Type = Payload.self) -> Payload? {
    guard status >= 300 else { return nil }
    return try? ExactJSON.decode(type, from: body)
  }

  var undocumented: UndocumentedPayload { UndocumentedPayload(headers: headers, body: body) }
}

/// What came with an answer that the document does not describe.
public struct UndocumentedPayload: Sendable, Hashable {
  /// The answer's headers.
  public var headers: HTTPHeaders
  /// The body's bytes as they came.
  public var body: Data

  /// A payload from its parts.
  public init(headers: HTTPHeaders = .init(), body: Data = Data()) {
    self.headers = headers
    self.body = body
  }
}
