import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests through `URLSession`, with the same behaviour on Apple systems and on Linux.
///
/// What differs from plain `URLSession`: limits are kept by this type (`timeout` until the head, `idleTimeout` for
/// silence), no redirect is followed, no cookie, cached answer or stored credential is used, a 401 is a response
/// whatever it asks for, and the body streams as it is read: a slow reader holds the sender back on Apple, and on Linux
/// loses its body when 64 MiB of it are waiting.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(HTTPRequest(.get, url, timeout: 10))
/// let body = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// `send` throws ``TransportError`` when no response came, `CancellationError` when its task was cancelled.
public final class URLSessionTransport: HTTPTransport {
  private let connections: Connections
  private let clock: MeroClock

  /// A transport with connections of its own.
  ///
  /// A given session lends its configuration (`protocolClasses`, additional headers, proxies, TLS versions); its
  /// delegate, cookies, cache, credentials and timeouts are not used.
  public convenience init(session: URLSession? = nil) {
    self.init(session: session, clock: .system)
  }

  /// A transport whose limits are measured by `clock`.
  package init(session: URLSession? = nil, clock: MeroClock) {
    connections = Connections(like: session)
    self.clock = clock
  }

  /// Sends `request` once and returns with the head of the answer, whatever its status.
  ///
  /// Throws ``TransportError`` when there is no answer, `CancellationError` when the task is cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if let limit = [request.timeout, request.idleTimeout].compactMap({ $0 }).first(where: { !($0 > 0) }) {
      throw TransportError(
        kind: .timedOut, text: "a limit of \(spelled(limit)) leaves no time to send the request",
        mayHaveBeenSent: false)
    }
    let outgoing = try URLRequest(request, sendsFiles: connections.sendsFiles)
    let exchange = connections.begin(outgoing, limits: request, clock: clock)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { exchange.begin($0) }
      return try exchange.takeHead()
    } onCancel: {
      exchange.cancel()
    }
  }
}

extension URLRequest {
  /// The request as `URLSession` takes it. The body is always `httpBody`: a body given to an upload task is invisible
  /// to a `URLProtocol`.
  ///
  /// - Parameter sendsFiles: whether large files are left to the session.
  fileprivate init(_ request: HTTPRequest, sendsFiles: Bool) throws {
    func refuse(_ text: String) -> TransportError {
      TransportError(kind: .cannotConnect, text: text, mayHaveBeenSent: false)
    }
    guard let scheme = request.url.scheme?.lowercased(), scheme == "https" || scheme == "http",
      request.url.host?.isEmpty == false
    else {
      throw refuse("a request needs an http or https address with a host")
    }
    self.init(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData,
      timeoutInterval: Connections.unlimited)
    guard request.method.rawValue.isToken else { throw refuse("the method is not an HTTP token") }
    httpMethod = request.method.rawValue
    httpShouldHandleCookies = false
    for (name, value) in request.headers {
      guard name.isToken else { throw refuse("a header's name is not an HTTP token") }
      // A line break in a value would begin another header, or another request.
      guard !value.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) else {
        throw refuse("the value of the header \(name) has a line break or a zero byte")
      }
      addValue(value, forHTTPHeaderField: name)
    }
    if request.body != nil, request.method == .get { throw refuse("a GET request cannot have a body") }
    switch request.body {
    case nil: break
    case .data(let data): httpBody = data
    case .file(let url):
      // A large file is read by the session, piece by piece, when it is sent.
      if sendsFiles, request.body?.largeFile != nil { break }
      // Read, not mapped: a mapped file that is cut while it is sent ends the process.
      do { httpBody = try Data(contentsOf: url) } catch {
        throw refuse("the file to send, \(url.lastPathComponent), cannot be read")
      }
    }
  }
}

extension HTTPRequestBody {
  /// The file, when it is too large to be read into memory.
  ///
  /// The session sends such a file by itself. Smaller ones are a body like any other, for two reasons: a `URLProtocol`
  /// sees no body that the session takes from a file, and one that cannot be read is known before anything is sent.
  ///
  /// On Linux a session that sends a file may end the process when the connection is reset in the middle: it goes on with
  /// a request that is no more. So only what would take too much memory is left to it there (decision 7).
  var largeFile: URL? {
    guard case .file(let url) = self, FileManager.default.isReadableFile(atPath: url.path),
      let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size > Self.heldBytes
    else { return nil }
    return url
  }

  #if os(Linux)
    private static let heldBytes = 64 << 20
  #else
    private static let heldBytes = 1 << 20
  #endif
}

extension String {
  /// Whether this is a token as HTTP defines it (RFC 9110 §5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          return true
        default: return "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
