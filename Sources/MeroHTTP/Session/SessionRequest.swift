import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// The request as `URLSession` takes it. The body is always `httpBody`: a body given to an upload task is invisible
  /// to a `URLProtocol`.
  ///
  /// - Parameter sendsFiles: whether large files are left to the session.
  init(_ request: HTTPRequest, sendsFiles: Bool) throws {
    try request.checkRules()
    self.init(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData,
      timeoutInterval: SessionConnections.unlimited)
    httpMethod = request.method.rawValue
    httpShouldHandleCookies = false
    for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
    switch request.body {
    case nil: break
    case .data(let data): httpBody = data
    case .file(let url):
      // A large file is read by the session, piece by piece, when it is sent.
      if sendsFiles, request.body?.largeFile != nil { break }
      // Read, not mapped: a mapped file that is cut while it is sent ends the process.
      do { httpBody = try Data(contentsOf: url) } catch { throw TransportError.unreadable(url) }
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
