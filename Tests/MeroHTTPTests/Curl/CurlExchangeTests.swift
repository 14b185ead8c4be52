#if canImport(CCurl)
  import Foundation
  import Testing

  @testable import MeroHTTP

  @Suite("An exchange over libcurl", .timeLimit(.minutes(5)))
  struct CurlExchangeTests {
    let transport = Way.kept.transport()

    @Test("what the caller did not ask for is not sent")
    func ownFields() async throws {
      let server = try RawServer(answering: okay)
      let address = URL(string: "http://name:word@127.0.0.1:\(server.port)/a/../b?q#part")!
      let body = HTTPRequestBody.data(Data(count: 2 << 20))
      _ = try await transport.send(
        HTTPRequest(
          .post, address, headers: ["X-Empty": "", "x-two": "a", "Content-Length": "7"], body: body))
      let request = try #require(server.log.requests.first)
      #expect(request.target == "/a/../b?q")
      #expect(request.headers["content-length"] == "\(2 << 20)")
      #expect(request.headers["x-empty"] == "")
      #expect(
        Set(request.headers.map(\.name)) == [
          "host", "user-agent", "accept", "accept-encoding", "content-length", "x-empty", "x-two",
        ])
    }

    @Test("heads that come before the answer and fields that come after it are not the answer's")
    func manyHeads() async throws {
      let server = try RawServer(
        answering: "HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nX-Name:  a value \r\nX-Twice: 1\r\nx-twice: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "2\r\nok\r\n0\r\nX-Late: 1\r\n\r\n")
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequest(.get, server.url()))
        #expect(response.status == 200)
        #expect(response.headers["x-name"] == "a value")
        #expect(response.headers.values(of: "x-twice") == ["1", "2"])
        #expect(response.headers["x-a"] == nil)
        #expect(response.headers["link"] == nil)
        #expect(try await text(response) == "ok")
      }
      #expect(server.log.count(.accepted) == 1)
    }

    @Test("a head without end is refused, and its connection closed")
    func endlessHead() async throws {
      let server = try RawServer { connection in
        _ = try connection.readRequest()
        try connection.write("HTTP/1.1 200 OK\r\n")
        do {
          while true { try connection.write("X-Filler: " + String(repeating: "x", count: 1_000) + "\r\n") }
        } catch { connection.log.record(.closedByClient) }
      }
      let error = await failure { try await transport.send(HTTPRequest(.get, server.url())) }
      #expect(error?.kind == .tooLarge)
      await server.log.wait(for: .closedByClient)
    }

    @Test("a file larger than would be held in memory arrives whole")
    func largeFile() async throws {
      let count = 72 << 20
      let file = try LargeFile(count: count)
      let server = try RawServer(answering: okay)
      let sent = Locked<Int64>(0)
      var request = HTTPRequest(.put, server.url(), body: .file(file.url))
      request.onSent = { count, _ in sent.withLock { $0 = max($0, count) } }
      #expect(try await text(transport.send(request)) == "ok")
      let received = try #require(server.log.requests.first)
      #expect(received.headers["content-length"] == "\(count)")
      #expect(try Data(received.body) == Data(contentsOf: file.url))
      #expect(sent.withLock { $0 } == Int64(count))
    }

    @Test("a file is read no faster than the server takes it, and a reset in the middle is an error")
    func resetUpload() async throws {
      let file = try LargeFile(count: 96 << 20)
      for round in 1...5 {
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
          _ = try connection.readHeadOnly()
          _ = try connection.read(1 << 20)
          connection.log.record(.mark("stopped"))
          gate.wait()
          connection.closeWithReset()
        }
        let sent = Locked<Int64>(0)
        var request = HTTPRequest(.put, server.url(), body: .file(file.url))
        request.onSent = { count, _ in sent.withLock { $0 = count } }
        let outgoing = request
        async let error = failure { try await transport.send(outgoing) }
        await server.log.wait(for: .mark("stopped"))
        gate.signal()
        let seen = await error
        #expect(seen?.kind == .lost, "round \(round)")
        #expect(seen?.mayHaveBeenSent == true)
        #expect(sent.withLock { $0 } < 48 << 20, "the rest was not even read")
      }
    }

    @Test("a file that becomes shorter while it is sent fails its request in words, and no other")
    func shrinkingFile() async throws {
      let file = try LargeFile(count: 64 << 20)
      let gate = DispatchSemaphore(value: 0)
      let server = try RawServer { connection in
        guard try connection.readHeadOnly()?.target == "/file" else { return try connection.write(okay) }
        connection.log.record(.mark("head"))
        gate.wait()
        while !(try connection.read(1)).isEmpty {}
      }
      async let error = failure {
        try await transport.send(HTTPRequest(.put, server.url("/file"), body: .file(file.url)))
      }
      await server.log.wait(for: .mark("head"))
      truncate(file.url.path, 0)
      gate.signal()
      let seen = await error
      #expect(seen?.kind == .lost)
      #expect(seen?.mayHaveBeenSent == true)
      #expect(seen?.text.contains(file.url.lastPathComponent) == true)
      #expect(try await text(transport.send(HTTPRequest(.get, server.url("/other")))) == "ok")
    }

    @Test("a folder and a pipe are no files to send")
    func noFile() async throws {
      let folder = FileManager.default.temporaryDirectory
      let pipe = folder.appendingPathComponent(UUID().uuidString)
      #expect(mkfifo(pipe.path, 0o600) == 0)
      defer { unlink(pipe.path) }
      let server = try RawServer(answering: okay)
      for url in [folder, pipe] {
        let error = await failure {
          try await transport.send(HTTPRequest(.put, server.url(), body: .file(url)))
        }
        #expect(error?.kind == .cannotConnect)
        #expect(error?.mayHaveBeenSent == false)
      }
    }

    @Test("an upload that is cancelled closes its socket")
    func cancelUpload() async throws {
      let file = try LargeFile(count: 96 << 20)
      let gate = DispatchSemaphore(value: 0)
      let server = try RawServer { connection in
        _ = try connection.readHeadOnly()
        connection.log.record(.mark("head"))
        // More than a socket holds is still to be sent.
        gate.wait()
        do { while true { _ = try connection.read(64 << 10) } } catch {
          connection.log.record(.closedByClient)
        }
      }
      let task = Task { try await transport.send(HTTPRequest(.put, server.url(), body: .file(file.url))) }
      await server.log.wait(for: .mark("head"))
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
      gate.signal()
      await server.log.wait(for: .closedByClient)
    }

    @Test("whoever is told of the progress may wait for another request, and hears of all before the answer")
    func slowProgress() async throws {
      let server = try RawServer(answering: okay)
      let (told, answers) = (Locked<[Int64]>([]), Locked(0))
      var request = HTTPRequest(.put, server.url(), body: .data(Data(count: 4 << 20)))
      request.onSent = { count, _ in
        let answered = DispatchSemaphore(value: 0)
        Task {
          if try await transport.send(HTTPRequest(.get, server.url("/other"))).status == 200 {
            answers.withLock { $0 += 1 }
          }
          answered.signal()
        }
        answered.wait()
        told.withLock { $0.append(count) }
      }
      #expect(try await transport.send(request).status == 200)
      #expect(told.withLock { $0.last } == 4 << 20)
      #expect(answers.withLock { $0 } == told.withLock { $0.count })
    }

    @Test("what comes before the answer's head is a sign of life")
    func earlyHints() async throws {
      let time = ManualClock()
      let looks = Locked(0)
      let clock = MeroClock(
        now: time.clock.now,
        uptime: {
          looks.withLock { $0 += 1 }
          return time.uptime
        }, sleep: time.clock.sleep)
      let gate = DispatchSemaphore(value: 0)
      let server = try RawServer { connection in
        _ = try connection.readRequest()
        connection.log.record(.mark("read"))
        for _ in 0..<2 {
          gate.wait()
          try connection.write("HTTP/1.1 103 Early Hints\r\n\r\n")
        }
        gate.wait()
        try connection.write(okay)
      }
      let transport = URLSessionTransport(connections: CurlConnections(), clock: clock)
      async let answer = text(transport.send(HTTPRequest(.post, server.url(), idleTimeout: 5)))
      await server.log.wait(for: .mark("read"))
      for _ in 0..<2 {
        await time.waitForSleepers()
        time.advance(by: 4)
        await time.waitForSleepers()
        let before = looks.withLock { $0 }
        gate.signal()
        // Whoever notes that something has come looks at the clock.
        while looks.withLock({ $0 }) == before { await Task.yield() }
      }
      await time.waitForSleepers()
      time.advance(by: 4)
      gate.signal()
      #expect(try await answer == "ok")
    }

    @Test("a child process gets none of the sockets")
    func closedInChildren() async throws {
      let server = try RawServer(streaming: "data: 1\n\n")
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      let own = (3..<65_536).filter { number in
        var peer = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &peer) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(Int32(number), $0, &size) == 0 }
        }
        return isConnected && peer.sin_port == server.port.bigEndian
      }
      #expect(own.count == 1)
      for number in own { #expect(fcntl(Int32(number), F_GETFD) & FD_CLOEXEC != 0) }
      response.body.cancel()
    }

    @Test("a header's value has no control character, and a body that is a file is one of this machine")
    func refusals() async throws {
      let server = try RawServer(answering: okay)
      let remote = HTTPRequestBody.file(server.url("/file"))
      var requests = [HTTPRequest(.put, server.url(), body: remote)]
      for value in ["\u{0B}", "a\u{0C}b", "\u{7F}", "a\u{1B}[0m", "a\r\nb"] {
        requests.append(HTTPRequest(.get, server.url(), headers: ["X-A": value]))
      }
      for request in requests {
        let error = await failure { try await transport.send(request) }
        #expect(error?.kind == .cannotConnect)
        #expect(error?.mayHaveBeenSent == false)
      }
      #expect(server.log.requests.isEmpty)
      _ = try await transport.send(HTTPRequest(.get, server.url(), headers: ["X-A": "a\tb é"]))
    }

    private static let openssl = "/usr/bin/openssl"

    @Test(
      "a server whose certificate nobody vouches for is sent nothing",
      .enabled(if: FileManager.default.isExecutableFile(atPath: openssl), "needs the program openssl"))
    func selfSigned() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (key, certificate) = (
        folder.appendingPathComponent("key").path, folder.appendingPathComponent("cert").path
      )
      let making = try run([
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
        "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
      ])
      making.process.waitUntilExit()
      #expect(making.process.terminationStatus == 0)
      let server = try run(["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"])
      defer { server.process.terminate() }
      // “ACCEPT 127.0.0.1:43210”
      let port = try #require(server.line(beginning: "ACCEPT").flatMap { $0.split(separator: ":").last })
      let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
      let error = await failure {
        try await transport.send(HTTPRequest(.post, url, body: .data(Data(count: 10)), timeout: 60))
      }
      #expect(error?.kind == .tls)
      #expect(error?.mayHaveBeenSent == false)
    }

    private struct Running {
      let process: Process
      let output: Pipe

      func line(beginning word: String) -> String? {
        var text = ""
        while true {
          let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          if let line = lines.first(where: { $0.hasPrefix(word) }) { return String(line) }
          let more = output.fileHandleForReading.availableData
          if more.isEmpty { return nil }
          text += String(decoding: more, as: UTF8.self)
        }
      }
    }

    private func run(_ arguments: [String]) throws -> Running {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: Self.openssl)
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      process.standardInput = Pipe()
      try process.run()
      return Running(process: process, output: output)
    }

    @Test("a request that is cancelled at any moment ends, and the next one is answered")
    func cancelAnywhere() async throws {
      let server = try RawServer { connection in
        while try connection.readRequest() != nil {
          try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
          try connection.write([UInt8](repeating: 7, count: 100_000))
        }
      }
      for yields in 0..<300 {
        let task = Task {
          try await transport.send(HTTPRequest(.post, server.url(), body: .data(Data(count: 1_000)))).body
            .collect(upTo: 100_000).count
        }
        for _ in 0..<yields { await Task.yield() }
        task.cancel()
        do { #expect(try await task.value == 100_000) } catch { #expect(error is CancellationError) }
      }
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(try await response.body.collect(upTo: 100_000).count == 100_000)
    }

    @Test("a body in gzip that is read slowly is whole")
    func slowGzip() async throws {
      let plain = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
      let stored = gzip(plain)
      let server = try RawServer { connection in
        _ = try connection.readRequest()
        try connection.write(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(stored.count)\r\n\r\n")
        try connection.write(stored)
      }
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      var whole = Data()
      for try await chunk in response.body {
        whole.append(chunk)
        await Task.yield()
      }
      #expect(whole == Data(plain))
    }
  }

  /// Gzip of blocks that are only stored (RFC 1951 §3.2.4, RFC 1952).
  private func gzip(_ plain: [UInt8]) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var table = [UInt32](repeating: 0, count: 256)
    for start in table.indices {
      var value = UInt32(start)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1 }
      table[start] = value
    }
    var packed: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
    var start = 0
    while start < plain.count {
      let end = min(start + 0xffff, plain.count)
      packed.append(end == plain.count ? 1 : 0)
      packed += little(end - start, 2)
      packed += little(~(end - start), 2)
      packed += plain[start..<end]
      start = end
    }
    var sum = UInt32.max
    for byte in plain {
      let place = Int(UInt8(truncatingIfNeeded: sum) ^ byte)
      sum = (sum >> 8) ^ table[place]
    }
    packed += little(Int(~sum), 4)
    packed += little(plain.count, 4)
    return packed
  }

  /// A file with bytes at its places, that is removed again.
  private final class LargeFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(count: Int) throws {
      var bytes = Data(count: count)
      for place in stride(from: 0, to: count, by: 4_093) {
        bytes[place] = UInt8(truncatingIfNeeded: place >> 7)
      }
      try bytes.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }
#endif
