import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a session and its answer.
///
/// `@unchecked Sendable` is sound because all of its state, `source`, `task` and `thread`, is private and only touched while
/// `lock` is held.
final class MockExchange: @unchecked Sendable {
  /// Protects `source`, `task` and `thread`, and is held while the session is told something: who is told something after
  /// `stopLoading` ends the process on Linux. Recursive, because a session that is told may stop at once.
  private let lock = NSRecursiveLock()
  /// Nil before the beginning and after the end.
  private var source: URLProtocol?
  private var task: Task<Void, Never>?
  private var thread: MockThread?

  // MARK: The session's side

  func begin(for source: URLProtocol, _ route: MockRoute?) {
    let request = source.request.withBodyInPlace
    lock.withLock {
      self.source = source
      thread = MockThread()
      // Held by this exchange, and cancelled with the request.
      task = Task {
        do { try await answer(request, route) } catch { fail(error) }
      }
    }
  }

  func stop() {
    let task = lock.withLock {
      source = nil
      return self.task
    }
    task?.cancel()
  }

  // MARK: The handler's side

  private func answer(_ request: URLRequest, _ route: MockRoute?) async throws {
    guard let route else { throw MockFailure("no handler was set for this session") }
    let stub = try await route.handler(request)
    let fields = Dictionary(stub.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    guard let url = request.url,
      let head = HTTPURLResponse(
        url: url, statusCode: stub.status, httpVersion: "HTTP/1.1", headerFields: fields)
    else { throw MockFailure("the stub is no answer") }
    tell { $0.client?.urlProtocol($0, didReceive: head, cacheStoragePolicy: .notAllowed) }
    switch stub.body {
    case .stream(let body):
      for try await data in body { send(data) }
    case .chunks(let chunks):
      for chunk in chunks {
        try await route.clock.sleep(chunk.delay)
        switch chunk.content {
        case .data(let data): send(data)
        case .failure(let code): throw URLError(code)
        }
      }
    }
    try Task.checkCancellation()
    tell(isLast: true) { $0.client?.urlProtocolDidFinishLoading($0) }
  }

  private func send(_ data: Data) {
    tell { $0.client?.urlProtocol($0, didLoad: data) }
  }

  private func fail(_ error: any Error) {
    let error = MockFailure.of(error)
    tell(isLast: true) { $0.client?.urlProtocol($0, didFailWithError: error) }
  }

  /// Tells the session something, unless it has stopped.
  private func tell(isLast: Bool = false, _ body: @escaping @Sendable (URLProtocol) -> Void) {
    let thread = lock.withLock { self.thread }
    thread?.perform { [self] in
      lock.withLock {
        guard let source else { return }
        if isLast { self.source = nil }
        body(source)
      }
    }
  }
}

extension URLRequest {
  /// The request with its body as bytes. `URLSession` hands a body to its protocols as it was given, or as a stream.
  fileprivate var withBodyInPlace: URLRequest {
    guard httpBody == nil, let stream = httpBodyStream else { return self }
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { break }
      body.append(contentsOf: buffer.prefix(count))
    }
    var request = self
    request.httpBody = body
    return request
  }
}
