/// A response whose head has arrived and whose body is read as it comes.
///
/// Every status is a response, also 3xx (a transport follows no redirect), 4xx and 5xx.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body, readable once.
  public var body: HTTPBody

  /// A response with these parts.
  public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
