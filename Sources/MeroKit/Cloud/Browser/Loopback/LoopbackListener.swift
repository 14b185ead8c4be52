#if os(Linux) || os(macOS)
  import Foundation
  import MeroHTTP

  /// Listens on 127.0.0.1 for one browser, on a thread of its own.
  ///
  /// Small on purpose: each connection is for one request, a few are open at once, and one that is slow is given up.
  final class LoopbackListener: Sendable {
    /// Answers a request; nil when the response is given to the reply later. It is called on the listener's thread, and must not
    /// wait.
    typealias Handler = @Sendable (LoopbackRequest, LoopbackReply) -> LoopbackResponse?

    struct Limits: Sendable, Hashable {
      var request = LoopbackRequestReader.Limits()
      /// Open at once. The one that has asked nothing for the longest time makes room for a new one.
      var connections = 8
      /// Seconds for a request to arrive, and again for its response to be taken.
      var patience: TimeInterval = 10
    }

    let port: UInt16
    private let inbox: LoopbackInbox

    /// Binds the port, any when it is 0, and begins to answer.
    init(port: UInt16, limits: Limits = Limits(), handler: @escaping Handler) throws(ListenerError) {
      let host = "127.0.0.1"
      let socket = try port == 0 ? AnyPort.open(host: host) : ListeningSocket(port: port, host: host)
      guard let bell = LoopbackBell() else {
        close(socket.descriptor)
        throw .failed("too many files are open")
      }
      self.port = socket.port
      let inbox = LoopbackInbox(bell)
      self.inbox = inbox
      let thread = Thread {
        var loop = LoopbackLoop(listening: socket.descriptor, inbox: inbox, limits: limits, handler: handler)
        loop.run()
        close(socket.descriptor)
        inbox.end()
      }
      thread.name = "sign-in on port \(socket.port)"
      thread.start()
    }

    deinit { inbox.stop() }

    /// Ends all connections and gives the port back. It is free when this returns, in a cancelled task too.
    func stop() async {
      inbox.stop()
      await inbox.ended()
    }
  }

  /// Takes the response to one request.
  struct LoopbackReply: Sendable {
    fileprivate let connection: UInt64
    fileprivate let inbox: LoopbackInbox

    /// Nothing happens when the browser has left.
    func callAsFunction(_ response: LoopbackResponse) { inbox.put(response, for: connection) }
  }

  /// What others have for the listener's thread.
  private final class LoopbackInbox: Sendable {
    private struct State {
      var responses: [(connection: UInt64, response: LoopbackResponse)] = []
      var isStopping = false
      /// nil once the thread has ended.
      var bell: LoopbackBell?
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>
    let descriptor: Int32

    init(_ bell: LoopbackBell) {
      descriptor = bell.reading
      state = Locked(State(bell: bell))
    }

    func put(_ response: LoopbackResponse, for connection: UInt64) {
      state.withLock { state in
        guard let bell = state.bell else { return }
        state.responses.append((connection, response))
        bell.ring()
      }
    }

    func stop() {
      state.withLock { state in
        state.isStopping = true
        state.bell?.ring()
      }
    }

    func take() -> (responses: [(connection: UInt64, response: LoopbackResponse)], isStopping: Bool) {
      state.withLock { state in
        state.bell?.silence()
        defer { state.responses = [] }
        return (state.responses, state.isStopping)
      }
    }

    func end() {
      let waiting = state.withLock { state in
        state.bell?.close()
        state.bell = nil
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func ended() async {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if state.bell != nil { state.waiting.append(continuation) }
          return state.bell == nil
        }
        if hasEnded { continuation.resume() }
      }
    }
  }

  /// A pipe that wakes a thread that polls.
  private struct LoopbackBell: Sendable {
    let reading: Int32
    private let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      }
      (reading, writing) = (ends[0], ends[1])
    }

    func ring() {
      var byte: UInt8 = 1
      // A pipe that is full rings already.
      _ = write(writing, &byte, 1)
    }

    func silence() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(reading, &bytes, bytes.count) > 0 {}
    }

    func close() {
      _ = Foundation.close(reading)
      _ = Foundation.close(writing)
    }
  }

  /// What the listener's thread does until it is told to stop.
  private struct LoopbackLoop {
    let listening: Int32
    let inbox: LoopbackInbox
    let limits: LoopbackListener.Limits
    let handler: LoopbackListener.Handler
    private var connections: [LoopbackConnection] = []
    private var lastId: UInt64 = 0
    /// Until when nobody is let in, because the process has no files left.
    private var pause: TimeInterval?

    init(
      listening: Int32, inbox: LoopbackInbox, limits: LoopbackListener.Limits,
      handler: @escaping LoopbackListener.Handler
    ) {
      self.listening = listening
      self.inbox = inbox
      self.limits = limits
      self.handler = handler
    }

    mutating func run() {
      while turn() {}
      for connection in connections { close(connection.descriptor) }
    }

    private mutating func turn() -> Bool {
      var polled = [pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0)]
      polled.append(pollfd(fd: pause == nil ? listening : -1, events: Int16(POLLIN), revents: 0))
      polled += connections.map { pollfd(fd: $0.descriptor, events: $0.interest, revents: 0) }
      let ready = poll(&polled, nfds_t(polled.count), timeout)
      let now = MeroClock.system.uptime()
      let (responses, isStopping) = inbox.take()
      for (id, response) in responses {
        guard let index = connections.firstIndex(where: { $0.id == id }) else { continue }
        connections[index].answer(response, now: now)
      }
      guard !isStopping else { return false }
      if ready > 0 {
        for index in connections.indices where polled[index + 2].revents != 0 {
          proceed(index, polled[index + 2].revents, now)
        }
        if polled[1].revents != 0 { letIn(now) }
      }
      giveUp(now)
      return true
    }

    /// Milliseconds until something is due; -1 when nothing is.
    private var timeout: Int32 {
      let next = (connections.compactMap(\.due) + [pause].compactMap { $0 }).min()
      guard let next else { return -1 }
      return Int32(min(max((next - MeroClock.system.uptime()) * 1_000, 0).rounded(.up), 60_000))
    }

    private mutating func proceed(_ index: Int, _ events: Int16, _ now: TimeInterval) {
      let hasFailed = events & ~Int16(POLLIN | POLLOUT) != 0
      guard let request = connections[index].proceed(now: now, hasFailed: hasFailed) else { return }
      let reply = LoopbackReply(connection: connections[index].id, inbox: inbox)
      if let response = handler(request, reply) { connections[index].answer(response, now: now) }
    }

    private mutating func letIn(_ now: TimeInterval) {
      for _ in 0..<limits.connections {
        let descriptor = accept(listening, nil, nil)
        guard descriptor >= 0 else {
          if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause = now + 0.1 }
          return
        }
        guard makeRoom() else {
          close(descriptor)
          continue
        }
        lastId += 1
        connections.append(
          LoopbackConnection(
            id: lastId, descriptor: descriptor, limits: limits.request, patience: limits.patience, now: now))
        // What a browser asks comes with its connection. Read now, it cannot be pushed out by those that come after.
        proceed(connections.count - 1, 0, now)
      }
    }

    private mutating func makeRoom() -> Bool {
      while connections.count >= limits.connections {
        let ranked = connections.indices.compactMap { index in
          connections[index].rank.map { (index: index, rank: $0) }
        }
        // Of the same rank, the oldest comes first.
        guard let first = ranked.min(by: { $0.rank < $1.rank }) else { return false }
        close(connections.remove(at: first.index).descriptor)
      }
      return true
    }

    private mutating func giveUp(_ now: TimeInterval) {
      if let end = pause, end <= now { pause = nil }
      for index in connections.indices {
        if let due = connections[index].due, due <= now { connections[index].giveUp() }
      }
      for connection in connections where connection.isOver { close(connection.descriptor) }
      connections.removeAll { $0.isOver }
    }
  }
#endif
