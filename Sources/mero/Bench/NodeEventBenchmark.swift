import Foundation
import MeroHTTP
import MeroKit
import MeroWire

extension Benchmark {
  static let nodeEvents = Benchmark(
    name: "nodeEvents",
    summary: "a node's events from bytes to what an app reads, beside a plain read of the same bytes"
  ) {
    let count = 50_000
    let chunks = NodeEventStream.chunks(of: count)
    let size = chunks.reduce(0) { $0 + $1.count }
    var found = 0
    let decoding = try Measuring.best(5) {
      found = 0
      var parser = SSEParser(maxEventBytes: SseFrame.limit)
      for chunk in chunks {
        try parser.feed(chunk) { frame in
          guard case .event(let event)? = SseFrame(frame.data) else { return }
          if event.stateMutation?.events?.first?.kind == "NoteAdded" || event.presenceAuthor != nil {
            found += 1
          }
        }
      }
    }
    guard found == count else { throw BenchmarkError("\(found) events of \(count) were read") }
    var sum: UInt64 = 0
    let reading = Measuring.best(5) {
      for chunk in chunks { chunk.withUnsafeBytes { bytes in for byte in bytes { sum &+= UInt64(byte) } } }
    }
    // No more at once than a consumer's buffer holds: a stream does not wait for its readers.
    let portion = 8_000
    let portions = NodeEventStream.chunks(of: portion)
    let delivering = try await Measuring.times(15) {
      let mero = Mero(
        config: MeroConfig(baseURL: NodeEventStream.address), transport: NodeEventStream(chunks: portions))
      var taken = 0
      for try await _ in mero.events(contextIds: [NodeEventStream.context]) {
        taken += 1
        if taken == portion { break }
      }
      await mero.close()
    }
    return [
      Figure(
        key: "eventsPerSecond", value: Double(count) / decoding, unit: "events/s", aim: .atLeast(50_000)),
      Figure(key: "megabytesPerSecond", value: Double(size) / 1e6 / decoding, unit: "MB/s"),
      Figure(key: "timesOfPlainRead", value: sum > 0 ? decoding / reading : 0, unit: "×"),
      Figure(
        key: "deliveredPerSecond", value: Double(portion) / Measuring.median(delivering), unit: "events/s"),
    ]
  }
}

/// A node that answers a stream with what was made before.
private struct NodeEventStream: HTTPTransport {
  static let address = URL(string: "http://localhost:2428")!  // a constant that parses
  static let context = String(repeating: "5f", count: 32)
  let chunks: [Data]

  /// Changes of state with an event of the contract, and presence now and then, as they come off a socket.
  static func chunks(of count: Int) -> [Data] {
    var text = "data: {\"type\":\"connect\",\"session_id\":\"17293822569102704642\"}\n\n"
    let emitted = numbers(#"{"id":"n1","title":"Hello"}"#)
    let state = numbers(#"{"typing":true}"#)
    for number in 0..<count {
      let content =
        number % 5 == 4
        ? #""type":"Ephemeral","data":{"author":"\#(context)","state":[\#(state)]}"#
        : #""type":"StateMutation","data":{"newRoot":"\#(context)","events":[{"kind":"NoteAdded","data":[\#(emitted)],"handler":null}]}"#
      text += """
        event: message
        id: 17293822569102704642-\(number + 1)
        data: {"result":{"contextId":"\(context)",\(content)}}


        """
    }
    let bytes = Data(text.utf8)
    return stride(from: 0, to: bytes.count, by: 16_384).map {
      bytes.subdata(in: $0..<min($0 + 16_384, bytes.count))
    }
  }

  private static func numbers(_ text: String) -> String { text.utf8.map(String.init).joined(separator: ",") }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == .get else {
      let granted = #"{"result":{"status":"subscribed","contexts":["\#(Self.context)"],"groups":[]}}"#
      return HTTPResponse(status: 200, body: HTTPBody(Data(granted.utf8)))
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    for chunk in chunks { continuation.yield(chunk) }
    return HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(stream))
  }
}
