import Foundation
import LocalCluster
import MeroCrypto
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroSealed
import MeroWire

extension Benchmark {
  static let sealedCall = Benchmark(
    name: "sealedCall",
    summary: "a sealed call over a socket, beside the same body posted in the clear to the same server"
  ) {
    let server = try BenchServer(FakeCloud(nodes: 1))
    defer { server.stopSoon() }
    let client = CalimeroClient(
      CalimeroClientOptions(baseUrl: server.url.absoluteString, policy: .development))
    try await client.signUp(SoftPasskey(), name: "bench")
    let org = try await client.orgs.create(name: "Bench").orgId
    let app = try await client.apps.create(name: "bench", package: "com.calimero.chat", org: org).appId
    let text = JSONValue.string(String(repeating: "x", count: 200))

    let transport = URLSessionTransport()
    let body: JSONValue = [
      "method": "send_message", "args": ["message": text],
      "idempotencyKey": .string(MeroRandom.system.uuid()),
    ]
    let plainRequest = HTTPRequest(
      .post, server.plainURL,
      headers: ["content-type": "application/json"],
      body: .data(body.data()))

    var sealed: [TimeInterval] = []
    var plain: [TimeInterval] = []
    // In turns, so that whatever else the machine does meets both alike.
    for _ in 0..<10 {
      sealed += try await Measuring.times(40) {
        _ = try await client.call(app, "send_message", ["message": text])
      }
      plain += try await Measuring.times(40) {
        let response = try await transport.send(plainRequest)
        _ = try await response.body.collect(upTo: 1 << 20)
      }
    }
    await client.close()
    let (sealedMedian, plainMedian) = (Measuring.median(sealed), Measuring.median(plain))
    return [
      Figure(key: "timesOfPlainPost", value: sealedMedian / plainMedian, unit: "×", aim: .atMost(2)),
      Figure(key: "sealedMedianMicroseconds", value: sealedMedian * 1e6, unit: "µs"),
      Figure(key: "plainMedianMicroseconds", value: plainMedian * 1e6, unit: "µs"),
    ]
  }

  static let sealing = Benchmark(
    name: "sealing", summary: "sealing and opening 64 MiB in memory, beside raw AES-256-GCM on the same bytes"
  ) {
    let size = 64 << 20
    let content = Data(MeroRandom.system.bytes(1 << 20).repeated(size >> 20))
    let cipher = try AESGCM(key: MeroRandom.system.bytes(32))
    let nonce = [UInt8](repeating: 7, count: 12)
    // In the pieces that frames have, which is faster than one buffer of the whole: the fairer measure of the two.
    let piece = SealedProtocol.frameDataLimit
    let raw = try Measuring.best(3) {
      var opened = 0
      for start in stride(from: 0, to: size, by: piece) {
        let sealed = try cipher.sealData(
          content[start..<min(start + piece, size)], nonce: nonce, authenticating: [UInt8]())
        opened += try cipher.openData(sealed, nonce: nonce, authenticating: [UInt8]()).count
      }
      guard opened == size else { throw BenchmarkError("AES-GCM lost bytes") }
    }
    let header = EnvelopeHeader(sessionId: MeroRandom.system.bytes(16), requestId: 1)
    let frames = try Measuring.best(3) {
      var writer = FrameWriter(cipher: cipher, header: header)
      var reader = FrameReader(cipher: cipher, header: header)
      var opened = 0
      reader.feed(try writer.frame(.head, Data(#"{"status":200,"headers":[]}"#.utf8)))
      _ = try reader.next()
      for start in stride(from: 0, to: size, by: piece) {
        reader.feed(try writer.frame(.data, content[start..<min(start + piece, size)]))
        while let frame = try reader.next() {
          if case .data(let bytes) = frame { opened += bytes.count }
        }
      }
      guard opened == size else { throw BenchmarkError("the frames lost bytes") }
    }
    let megabytes = Double(size) / 1e6
    return [
      Figure(key: "shareOfRawSpeed", value: raw / frames, unit: "", aim: .atLeast(0.5)),
      Figure(key: "sealedMegabytesPerSecond", value: megabytes / frames, unit: "MB/s"),
      Figure(key: "rawMegabytesPerSecond", value: megabytes / raw, unit: "MB/s"),
    ]
  }

  static let sealedStream = Benchmark(
    name: "sealedStream", summary: "resident memory while a 64 MiB sealed response streams over a socket"
  ) {
    let size = 64 << 20
    let responder = SealedResponder(clock: .system, random: .system)
    let listener = HTTPListener(port: 0) { request in
      guard request.url.path == SealedProtocol.exchangePath else { return await responder.handshake(request) }
      return await responder.exchange(request) { _ in
        HTTPResponse(
          status: 200, headers: ["content-type": "application/octet-stream"], body: .pieces(total: size))
      }
    }
    // A constant with a number in it always parses.
    let url = URL(string: "http://127.0.0.1:\(try listener.start())")!
    let channel = try SealedChannel(
      base: url, key: await responder.transportPublicKey(), transport: URLSessionTransport(), clock: .system,
      random: .system)
    func receive(_ report: (Int) -> Void) async throws {
      let response = try await channel.send(
        method: "GET", innerPath: "/blob", headers: [], body: Data(), timeout: 30, idleTimeout: 30)
      var received = 0
      for try await chunk in response.body {
        received += chunk.count
        report(received)
      }
      guard received == size else { throw BenchmarkError("\(received) bytes of \(size) arrived") }
    }
    // Once unmeasured: buffers, threads and connections that stay are not what streaming holds.
    try await receive { _ in }
    let before = Measuring.residentBytes() ?? 0
    var peak = before
    var next = 0
    let began = MeroClock.system.uptime()
    try await receive { received in
      guard received >= next else { return }
      next = received + 1 << 20
      peak = max(peak, Measuring.residentBytes() ?? 0)
    }
    let seconds = MeroClock.system.uptime() - began
    await channel.close()
    await listener.stop()
    return [
      Figure(
        key: "residentMebibytesMore", value: Double(peak - before) / Double(1 << 20), unit: "MiB",
        aim: .atMost(16)),
      Figure(key: "megabytesPerSecond", value: Double(size) / 1e6 / seconds, unit: "MB/s"),
    ]
  }
}

extension HTTPBody {
  /// A body of so many bytes, made piece by piece as it is read.
  fileprivate static func pieces(total: Int) -> HTTPBody {
    let piece = Data(repeating: 0xA5, count: 65_536)
    return HTTPBody(
      AsyncStream(unfolding: { [counter = PieceCounter(total: total)] in
        await counter.take(piece.count).map { piece.prefix($0) }
      }))
  }
}

private actor PieceCounter {
  private var left: Int
  init(total: Int) { left = total }

  func take(_ most: Int) -> Int? {
    guard left > 0 else { return nil }
    let count = min(most, left)
    left -= count
    return count
  }
}

extension [UInt8] {
  fileprivate func repeated(_ times: Int) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(count * times)
    for _ in 0..<times { all += self }
    return all
  }
}
