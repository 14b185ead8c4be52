import CMicroHTTPD
import Foundation
import MeroHTTP

/// One request and its answer.
///
/// `@unchecked Sendable` is sound: what the request is made of belongs to libmicrohttpd's thread and is not touched
/// after the handler's task began; everything else is in `state`.
final class ListenerExchange: @unchecked Sendable {
  private enum Step {
    case head, body, discarding, waiting, answered
  }

  private enum Answer {
    case response(PreparedResponse)
    case cut
  }

  private struct State {
    var task: Task<Void, Never>?
    var stream: ResponseStream?
    var answer: Answer?
    var isEnded = false
  }

  private let server: ListenerServer
  private let connection: ListenerConnection
  private let state = Locked(State())

  private let target: String
  private var step = Step.head
  private var method = HTTPMethod.get
  private var url: URL?
  private var headers = HTTPHeaders()
  private var body = Data()
  private var discarded = 0

  init(_ server: ListenerServer, _ connection: ListenerConnection, target: String) {
    self.server = server
    self.connection = connection
    self.target = target
  }

  // MARK: - On libmicrohttpd's thread

  /// Takes the next part of the request; `data` is empty when there is no more. `merokit_no` closes the connection.
  func receive(_ handle: OpaquePointer, method: String, version: String, data: UnsafeRawBufferPointer)
    -> MHD_Result
  {
    switch step {
    case .head:
      guard connection.begin(self) else { return merokit_no }
      self.method = HTTPMethod(rawValue: method)
      if let refusal = readHead(handle, version: version) { return refuse(refusal, handle) }
      step = .body
      return merokit_yes
    case .body where !data.isEmpty:
      if data.count <= server.limits.body - body.count {
        body.append(contentsOf: data)
      } else {
        // No answer can be given in the middle of a body. So the rest is read and dropped, within reason.
        discarded = data.count
        body = Data()
        step = .discarding
      }
      return merokit_yes
    case .body:
      step = .waiting
      start()
      return waitOrAnswer(handle)
    case .discarding where !data.isEmpty:
      discarded += data.count
      return discarded <= server.limits.body ? merokit_yes : merokit_no
    case .discarding:
      return refuse(.bodyTooLarge(server.limits.body), handle)
    case .waiting:
      return waitOrAnswer(handle)
    case .answered:
      return merokit_no
    }
  }

  /// libmicrohttpd is done with the request, well or badly.
  func end() {
    connection.end(self)
    cancel()
  }

  private func readHead(_ handle: OpaquePointer, version: String) -> Refusal? {
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .version }
    guard merokit_request_head_size(handle) <= server.limits.head else {
      return .headTooLarge(server.limits.head)
    }
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values_n(
        handle, merokit_header_kind,
        { context, _, name, nameCount, value, valueCount in
          context?.assumingMemoryBound(to: HTTPHeaders.self).pointee.add(
            text(name, nameCount), text(value, valueCount))
          return merokit_yes
        }, headers)
    }
    return readLength() ?? readTarget()
  }

  private func readLength() -> Refusal? {
    let lengths = headers.values(of: "content-length")
    if let coding = headers["transfer-encoding"] {
      // Two lengths are how requests are smuggled past one server into another.
      if !lengths.isEmpty { return .twoLengths }
      return coding.lowercased() == "chunked" ? nil : .coding
    }
    guard let first = lengths.first else { return nil }
    guard Set(lengths).count == 1, let length = UInt64(first) else { return .twoLengths }
    guard length <= UInt64(server.limits.body) else { return .bodyTooLarge(server.limits.body) }
    body.reserveCapacity(min(Int(length), 1 << 20))
    return nil
  }

  private func readTarget() -> Refusal? {
    if let last = connection.lastURL, last.target == target {
      url = last.url
      return nil
    }
    guard target.hasPrefix("/"), target.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      let url = URL(string: server.origin + target)
    else { return .target }
    self.url = url
    connection.lastURL = (target, url)
    return nil
  }

  private func refuse(_ refusal: Refusal, _ handle: OpaquePointer) -> MHD_Result {
    step = .answered
    return PreparedResponse(refusal: refusal.status, refusal.text)?.send(over: handle) ?? merokit_no
  }

  private func start() {
    guard let url else { return }
    let request = HTTPRequest(method, url, headers: headers, body: body.isEmpty ? nil : .data(body))
    body = Data()
    state.withLock { state in
      state.task = Task { await self.run(request) }
    }
  }

  private func waitOrAnswer(_ handle: OpaquePointer) -> MHD_Result {
    while true {
      switch state.withLock({ $0.answer }) {
      case .response(let response)?:
        step = .answered
        return response.send(over: handle)
      case .cut?: return merokit_no
      case nil:
        switch connection.park() {
        case .parked: return merokit_yes
        case .signalled: continue
        case .cut: return merokit_no
        }
      }
    }
  }

  // MARK: - On any thread

  /// Nobody waits for the answer any more.
  func cancel() {
    let (task, stream) = state.withLock { state in
      state.isEnded = true
      state.answer = .cut
      defer {
        state.task = nil
        state.stream = nil
      }
      return (state.task, state.stream)
    }
    task?.cancel()
    stream?.finish(failed: true)
  }

  private func run(_ request: HTTPRequest) async {
    do {
      let response = try await server.handler(request)
      let bytes = response.body.takeBytes()
      if request.method == .head, bytes == nil || response.headers["content-length"] != nil {
        response.body.cancel()
        answer(PreparedResponse(headOf: response))
      } else if let bytes {
        answer(PreparedResponse(response, body: bytes))
      } else {
        await stream(response)
      }
    } catch {
      answer(nil)
    }
  }

  private func stream(_ response: HTTPResponse) async {
    let stream = ResponseStream(connection)
    let body = response.body
    await withTaskCancellationHandler {
      guard answer(PreparedResponse(response, stream: stream), stream) else { return body.cancel() }
      do {
        for try await chunk in body { try await stream.push(chunk) }
        stream.finish(failed: false)
      } catch {
        stream.finish(failed: true)
      }
    } onCancel: {
      body.cancel()
      stream.finish(failed: true)
    }
  }

  /// Hands over the answer; nil closes the connection without one. False when nobody waits for it any more.
  @discardableResult
  private func answer(_ response: PreparedResponse?, _ stream: ResponseStream? = nil) -> Bool {
    let isWanted = state.withLock { state in
      if state.isEnded { return false }
      state.answer = response.map { .response($0) } ?? .cut
      state.stream = stream
      return true
    }
    if isWanted { connection.wake() }
    return isWanted && response != nil
  }
}

private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
  String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
}

/// What the listener answers by itself.
private enum Refusal {
  case headTooLarge(Int), bodyTooLarge(Int), twoLengths, coding, version, target

  var status: Int {
    switch self {
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    case .twoLengths, .target: 400
    case .coding: 501
    case .version: 505
    }
  }

  var text: String {
    switch self {
    case .headTooLarge(let limit): "The head of a request may have \(limit) bytes."
    case .bodyTooLarge(let limit): "The body of a request may have \(limit) bytes."
    case .twoLengths: "A request has one length: a Content-Length or the chunked coding."
    case .coding: "The only transfer coding here is chunked."
    case .version: "HTTP/1.1 is spoken here."
    case .target: "The target of a request is a path on this server."
    }
  }
}
