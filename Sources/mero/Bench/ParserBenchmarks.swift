import Foundation
import MeroHTTP
import MeroWire

extension Benchmark {
  static let sseParser = Benchmark(
    name: "sseParser",
    summary: "the server-sent event parser on 200-byte events, beside a plain scan of the bytes"
  ) {
    let count = 200_000
    let event = "id: c1.1000000.0\nevent: MessageSent\ndata: \(String(repeating: "x", count: 156))\n\n"
    let bytes = Data(String(repeating: event, count: count).utf8)
    let chunks = stride(from: 0, to: bytes.count, by: 16_384).map {
      Data(bytes[$0..<min($0 + 16_384, bytes.count)])
    }
    var parsed = 0
    let seconds = try Measuring.best(5) {
      parsed = 0
      var parser = SSEParser(maxEventBytes: 1 << 20)
      for chunk in chunks { parsed += try parser.feed(chunk).count }
    }
    guard parsed == count else { throw BenchmarkError("\(parsed) events of \(count) came out of the parser") }
    var newlines = 0
    let scan = Measuring.best(5) {
      newlines = 0
      for chunk in chunks {
        chunk.withUnsafeBytes { buffer in for byte in buffer where byte == 0x0A { newlines += 1 } }
      }
    }
    let megabytes = Double(bytes.count) / 1e6
    return [
      Figure(key: "megabytesPerSecond", value: megabytes / seconds, unit: "MB/s", aim: .atLeast(100)),
      Figure(key: "eventsPerSecond", value: Double(count) / seconds, unit: "events/s"),
      Figure(key: "timesOfPlainScan", value: newlines > 0 ? seconds / scan : 0, unit: "×"),
    ]
  }

  static let exactJSON = Benchmark(
    name: "exactJSON",
    summary: "reading JSON with exact numbers, beside Foundation's readers on the same bytes"
  ) {
    let text = sampleJSON(records: 20_000)
    let data = Data(text.utf8)
    let megabytes = Double(data.count) / 1e6
    let reading = try Measuring.best(5) { _ = try JSONValue(parsing: data) }
    let decoding = try Measuring.best(3) { _ = try ExactJSON.decode([SampleRecord].self, from: data) }
    let foundation = try Measuring.best(3) { _ = try JSONDecoder().decode([SampleRecord].self, from: data) }
    let untyped = try Measuring.best(3) { _ = try JSONSerialization.jsonObject(with: data) }
    return [
      Figure(key: "readMegabytesPerSecond", value: megabytes / reading, unit: "MB/s", aim: .atLeast(40)),
      Figure(key: "decodeMegabytesPerSecond", value: megabytes / decoding, unit: "MB/s"),
      Figure(key: "foundationDecoderMegabytesPerSecond", value: megabytes / foundation, unit: "MB/s"),
      Figure(key: "foundationSerializationMegabytesPerSecond", value: megabytes / untyped, unit: "MB/s"),
      Figure(key: "decodeTimesOfFoundation", value: decoding / foundation, unit: "×"),
    ]
  }

  private static func sampleJSON(records: Int) -> String {
    var text = "["
    for index in 0..<records {
      if index > 0 { text += "," }
      text += """
        {"id":\(9_007_199_254_740_993 + index),"author":"acc_01jdq4s7m2x8v5t9k3c6b0zawe","text":"Message \(index) says \\"hi\\" \
        and goes on for a while","at":1790000000000,"tags":["a","bb","ccc"],"pinned":\(index % 7 == 0)}
        """
    }
    return text + "]"
  }
}

private struct SampleRecord: Codable, Sendable {
  let id: Int64
  let author: String
  let text: String
  let at: Int64
  let tags: [String]
  let pinned: Bool
}

/// A benchmark's own work went wrong, so that its figures would mean nothing.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
