import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension MockURLProtocol {
  /// An answer.
  public struct Stub: Sendable {
    /// The status.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    let body: Body

    enum Body: Sendable {
      case chunks([Chunk])
      case stream(HTTPBody)
    }

    /// An answer that is there at once.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
      self.init(status: status, headers: headers, chunks: body.isEmpty ? [] : [Chunk(body)])
    }

    /// An answer whose body comes in pieces; the head comes at once.
    ///
    /// They arrive as they are where a delegate takes them, as in this package's clients. On Linux a session without one keeps
    /// only the last piece of what a `URLProtocol` loads: what `URLSession.data(for:)` reads there should come in one.
    public init(status: Int = 200, headers: HTTPHeaders = [:], chunks: [Chunk]) {
      self.status = status
      self.headers = headers
      body = .chunks(chunks)
    }

    /// An answer whose body comes as another one does, and once only: what a test that decides step by step makes from an
    /// `AsyncThrowingStream`. It is cancelled when the request is.
    public init(status: Int = 200, headers: HTTPHeaders = [:], stream: HTTPBody) {
      self.status = status
      self.headers = headers
      body = .stream(stream)
    }
  }

  /// A piece of a body.
  public struct Chunk: Sendable {
    enum Content: Sendable {
      case data(Data)
      case failure(URLError.Code)
    }

    let content: Content
    /// Seconds after the piece before it, or after the head.
    public let delay: TimeInterval

    /// These bytes.
    public init(_ data: Data, after delay: TimeInterval = 0) {
      content = .data(data)
      self.delay = delay
    }

    /// This text.
    public init(_ text: String, after delay: TimeInterval = 0) { self.init(Data(text.utf8), after: delay) }

    private init(_ content: Content, after delay: TimeInterval) {
      self.content = content
      self.delay = delay
    }

    /// The end of the connection, before that of the body.
    public static func failure(_ code: URLError.Code, after delay: TimeInterval = 0) -> Chunk {
      Chunk(.failure(code), after: delay)
    }
  }
}
