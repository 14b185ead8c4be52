#if os(Linux) || os(macOS)
  import Foundation
  import MeroHTTP

  /// One browser's connection: a request, what is answered to it, and the end.
  ///
  /// It never waits. Whoever polls it says when its socket is ready.
  struct LoopbackConnection {
    private enum Phase {
      case reading(LoopbackRequestReader)
      /// The request was handed on, and its response is being made.
      case answering
      /// What is left to send.
      case writing(ArraySlice<UInt8>)
      /// Everything was sent. A socket that is closed with bytes unread would take the response back (RFC 9112 §9.6).
      case draining
      case over
    }

    let id: UInt64
    let descriptor: Int32
    private var phase: Phase
    private let patience: TimeInterval
    private var deadline: TimeInterval

    init(
      id: UInt64, descriptor: Int32, limits: LoopbackRequestReader.Limits, patience: TimeInterval,
      now: TimeInterval
    ) {
      self.id = id
      self.descriptor = descriptor
      self.patience = patience
      phase = .reading(LoopbackRequestReader(limits: limits))
      deadline = now + patience
      Self.prepare(descriptor)
    }

    private static func prepare(_ descriptor: Int32) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      #if os(macOS)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      #endif
    }

    // MARK: What it waits for

    /// What to poll its socket for.
    var interest: Int16 {
      switch phase {
      case .reading, .draining: Int16(POLLIN)
      case .writing: Int16(POLLOUT)
      case .answering, .over: 0
      }
    }

    /// When it is given up. A response may take as long as it takes to make.
    var due: TimeInterval? { if case .answering = phase { nil } else { deadline } }

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// Which are given up first when there are too many: those that were answered, then those that have not asked anything yet.
    /// Nobody can keep another out by holding connections open. nil keeps it.
    var rank: Int? {
      switch phase {
      case .draining, .over: 0
      case .reading: 1
      case .answering, .writing: nil
      }
    }

    // MARK: What happens

    mutating func giveUp() { phase = .over }

    /// Its socket is ready for what it waits for, or has failed. Answers a request that is whole.
    mutating func proceed(now: TimeInterval, hasFailed: Bool) -> LoopbackRequest? {
      switch phase {
      case .reading: return receive(now)
      case .writing: send(now)
      case .draining: drain()
      case .answering, .over: if hasFailed { phase = .over }
      }
      return nil
    }

    mutating func answer(_ response: LoopbackResponse, now: TimeInterval) {
      phase = .writing(response.bytes[...])
      deadline = now + patience
      send(now)
    }

    private mutating func receive(_ now: TimeInterval) -> LoopbackRequest? {
      guard let bytes = read(), case .reading(var reader) = phase else { return nil }
      // One owner: bytes that come one by one must not be copied with all before them.
      phase = .answering
      reader.feed(bytes)
      switch reader.step {
      case .more: phase = .reading(reader)
      case .refused(let status, let text): answer(LoopbackResponse(status: status, text: text), now: now)
      case .request(let request): return request
      }
      return nil
    }

    private mutating func send(_ now: TimeInterval) {
      guard case .writing(var rest) = phase else { return }
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Self.send(descriptor, $0) }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { break }
        guard count > 0 else {
          phase = .over
          return
        }
        rest = rest.dropFirst(count)
      }
      phase = .writing(rest)
      guard rest.isEmpty else { return }
      _ = shutdown(descriptor, Int32(SHUT_WR))
      phase = .draining
      deadline = now + patience
    }

    /// Without the signal that a closed connection would end the process with.
    private static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
      #if os(Linux)
        Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      #else
        Foundation.send(descriptor, bytes.baseAddress, bytes.count, 0)
      #endif
    }

    private mutating func drain() { _ = read() }

    /// What has come; nil when nothing has, or nothing more will.
    private mutating func read() -> [UInt8]? {
      var received = 0
      var failure: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        failure = errno
        count = max(received, 0)
      }
      if received > 0 { return bytes }
      let isOnlyEmpty = received < 0 && [EINTR, EAGAIN, EWOULDBLOCK].contains(failure)
      if !isOnlyEmpty { phase = .over }
      return nil
    }
  }
#endif
