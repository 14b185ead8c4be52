import Foundation

/// An HTTP method. Open: any token can be written as `HTTPMethod(rawValue:)`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The method as it is sent, upper case by custom.
  public let rawValue: String

  /// The method that is sent as `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// `GET`
  public static let get = HTTPMethod(rawValue: "GET")
  /// `HEAD`
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// `POST`
  public static let post = HTTPMethod(rawValue: "POST")
  /// `PUT`
  public static let put = HTTPMethod(rawValue: "PUT")
  /// `PATCH`
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// `DELETE`
  public static let delete = HTTPMethod(rawValue: "DELETE")
}

/// What a request carries. Both kinds can be sent again by whoever decides to retry.
public enum HTTPRequestBody: Sendable, Hashable {
  /// These bytes.
  case data(Data)
  /// The bytes of this file, read when the request is sent.
  case file(URL)
}

/// One request, sent as it stands: a transport follows no redirect and never sends it twice. It adds no header but what HTTP
/// asks for, its own name and the encodings that it decodes.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute address, `http` or `https`.
  public var url: URL
  /// The header fields.
  public var headers: HTTPHeaders
  /// What is sent after the head, if anything.
  public var body: HTTPRequestBody?
  /// Seconds until there is a connection and the first byte goes out over it; `nil` means no such limit. A request that
  /// ends by it was not sent. Over a `URLSession` it holds for requests with a body, and whether they were sent stays open.
  public var connectTimeout: TimeInterval?
  /// Seconds from sending until the response's head has arrived; `nil` means no such limit.
  public var timeout: TimeInterval?
  /// Seconds without any byte sent or received, before the head and within the body; `nil` means no such limit.
  public var idleTimeout: TimeInterval?
  /// Told how many bytes of ``body`` have been sent, and of how many, never of more than that. It is called on a queue of its
  /// own, one call after the other, with the latest number each time; the answer is handed out after the last call.
  public var onSent: (@Sendable (_ sent: Int64, _ total: Int64) -> Void)?

  /// A request for `url`.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = HTTPHeaders(),
    body: HTTPRequestBody? = nil,
    connectTimeout: TimeInterval? = nil, timeout: TimeInterval? = nil, idleTimeout: TimeInterval? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.connectTimeout = connectTimeout
    self.timeout = timeout
    self.idleTimeout = idleTimeout
  }
}
