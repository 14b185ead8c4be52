import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// The request as `URLSession` takes it. The body is always `httpBody`: a body given to an upload task is invisible
  /// to a `URLProtocol`.
  ///
  /// - Parameter file: a large file that is left to the session, and no part of this.
  init(_ request: HTTPRequest, leaving file: URL?) throws {
    try request.checkRules()
    self.init(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData,
      timeoutInterval: SessionConnections.unlimited)
    httpMethod = request.method.rawValue
    httpShouldHandleCookies = false
    for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
    guard file == nil else { return }
    switch request.body {
    case nil: break
    case .data(let data): httpBody = data
    case .file(let url):
      // Read, not mapped: a mapped file that is cut while it is sent ends the process.
      do { httpBody = try Data(contentsOf: url) } catch { throw TransportError.unreadable(url) }
    }
  }
}

extension HTTPRequestBody {
  /// The file, when it is too large to be read into memory. Asked once for a request: the file may change meanwhile.
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
