import Foundation
import MeroHTTP

/// Something that answers requests, behind a real HTTP listener on loopback.
///
///     let host = LocalHost(port: 0) { request in try await manager.handle(request) }
///     let url = try await host.start()
///     defer { Task { await host.stop() } }
///
/// One that is paused has its port closed, as a process that has ended, until it is resumed on the port it had.
package actor LocalHost {
  package typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

  private let port: UInt16
  private let limits: HTTPListener.Limits
  private let answer: Answer
  private let ended: @Sendable () async -> Void
  private var listener: HTTPListener?
  private var boundPort: UInt16?
  /// The last operation asked for: the next one waits for it, so that the port is free before it is bound.
  private var turn: Task<Void, any Error>?

  /// Makes the host without serving it; port 0 takes any free one.
  ///
  /// - Parameter ended: runs when its port has been closed: forgets what does not outlive a process.
  package init(
    port: UInt16, limits: HTTPListener.Limits = HTTPListener.Limits(),
    ended: @escaping @Sendable () async -> Void = {}, answer: @escaping Answer
  ) {
    self.port = port
    self.limits = limits
    self.ended = ended
    self.answer = answer
  }

  /// The base URL; nil before ``start()`` and after ``stop()``.
  package var url: URL? { boundPort.flatMap { URL(string: "http://127.0.0.1:\($0)") } }

  package var isRunning: Bool { listener != nil }

  /// Begins to listen and answers the base URL.
  @discardableResult
  package func start() async throws -> URL {
    try await inTurn { try await self.begin(on: self.port) }
    guard let url else { throw ListenerError.failed("it was stopped while it started") }
    return url
  }

  /// Ends it for good.
  package func stop() async {
    // Stopping throws nothing; what an earlier operation threw is its own caller's.
    _ = try? await inTurn {
      await self.end()
      await self.forgetPort()
    }
  }

  /// Ends it as a process ends; ``resume()`` serves it again on the port it had.
  package func pause() async {
    _ = try? await inTurn { await self.end() }
  }

  package func resume() async throws {
    try await inTurn {
      guard let port = await self.boundPort else { return }
      try await self.begin(on: port)
    }
  }

  package func restart() async throws {
    await pause()
    try await resume()
  }

  private func inTurn(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let earlier = turn
    let mine = Task {
      _ = await earlier?.result
      try await work()
    }
    turn = mine
    try await mine.value
  }

  private func begin(on port: UInt16) throws {
    guard listener == nil else { return }
    let listener = HTTPListener(port: port, limits: limits) { [answer] request in
      // A page that has its own name lead to this machine could otherwise read the answers.
      guard LoopbackName.isNamed(in: request.headers) else {
        return HTTPResponse(
          status: 421, headers: ["content-type": "text/plain; charset=utf-8"],
          body: HTTPBody(Data("this node answers to the names of this machine only\n".utf8)))
      }
      return try await answer(request)
    }
    boundPort = try listener.start()
    self.listener = listener
  }

  private func end() async {
    guard let listener else { return }
    self.listener = nil
    await listener.stop()
    await ended()
  }

  private func forgetPort() { boundPort = nil }
}
