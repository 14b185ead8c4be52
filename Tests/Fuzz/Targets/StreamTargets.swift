import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed

extension FuzzTarget {
  /// Server-sent events. The first byte says how the rest is cut into chunks.
  static let eventStream = FuzzTarget(name: "sse", dictionary: "sse") {
    [
      "\u{03}\u{FEFF}event: added\nid: 7\nretry: 10\ndata: {\"a\":1}\ndata: b\n\n: comment\r\ndata\r\rid\n\ndata: x\n\n",
      "\u{01}" + String(repeating: "data:\r", count: 10_000),
      "\u{01}" + String(repeating: "\n", count: 60_000),
      "\u{01}" + String(repeating: "a", count: 60_000),
    ].map { Array($0.utf8) }
  } check: { bytes in
    let limit = 4096
    let whole = events([Data(bytes.dropFirst())], limit: limit)
    let cut = events(chunks(bytes), limit: limit)
    hold(whole.events == cut.events && whole.isRefused == cut.isRefused, "chunks make no difference")
    for event in whole.events {
      hold(event.data.utf8.count <= 3 * limit, "an event is within the limit")
      hold(event.id?.contains("\0") != true, "an id has no NUL")
    }
  }

  /// A sealed response: frames of one key, cut into chunks. The first byte says how; the second how the input is sealed.
  static let frames = FuzzTarget(name: "frames", dictionary: nil) {
    let head = InnerResponseHead(status: 200, headers: HTTPHeaders([("content-type", "text/plain")]))
      .encoded()
    let first = [0, UInt8(head.count)] + head
    return [
      [3, 1] + first + [1, 3, 1, 2, 3, 2, 0], [1, 1] + first + [2, 0], [9, 0, 0, 0, 0, 17] + [UInt8](0..<17),
      [0, 1, 1, 0], [0, 0, 0xFF, 0xFF, 0xFF, 0xFF], [1, 1] + filled(with: [1, 0]).dropLast(2),
    ]
  } check: { bytes in
    guard bytes.count >= 2 else { return }
    let sealed = bytes[1] & 1 == 1 ? try seal(bytes.dropFirst(2)) : Array(bytes.dropFirst(2))
    let whole = try read([Data(sealed)])
    let cut = try read(chunks([bytes[0]] + sealed))
    hold(whole == cut, "chunks make no difference")
    if bytes[1] & 1 == 0 { hold(whole.frames.isEmpty, "nothing opens that was not sealed") }
    hold(whole.isWhole == (whole.frames.last == .end), "a response is whole with its end")
  }

  static let heads = FuzzTarget(name: "heads", dictionary: "json") {
    [
      #"{"method":"GET","path":"/a?b=c","headers":[["accept","text/plain"],["x","\t"]]}"#,
      #"{"status":200,"headers":[["content-type","text/plain"],["Host","x"]],"more":1}"#,
      #"{"status":200,"headers":["# + Array(repeating: #"["a","b"]"#, count: 6_000).joined(separator: ",")
        + "]}",
      #"{"method":"GET","path":"/","headers":["#
        + Array(repeating: #"["a","b"]"#, count: 6_000).joined(separator: ",")
        + "]}",
    ].map { Array($0.utf8) }
  } check: { bytes in
    if let head = InnerRequestHead(parsing: Data(bytes)) {
      let again = InnerRequestHead(parsing: Data(try head.encoded()))
      hold(again?.path == head.path && again?.method == head.method, "a head is written as it was read")
      hold(try again?.encoded() == head.encoded(), "writing again gives the same")
    }
    if let head = unlessRefused(SealedError.self, { try InnerResponseHead(parsing: Data(bytes)) }) {
      let again = try InnerResponseHead(parsing: Data(head.encoded()))
      hold(
        again.status == head.status && again.encoded() == head.encoded(), "a head is written as it was read")
    }
    let header = bytes.withUnsafeBytes { EnvelopeHeader(of: $0) }
    if let header { hold(bytes.starts(with: header.bytes), "an envelope's header begins it") }
  }

  private static func events(_ chunks: [Data], limit: Int) -> (events: [ServerSentEvent], isRefused: Bool) {
    var parser = SSEParser(maxEventBytes: limit)
    var events: [ServerSentEvent] = []
    for chunk in chunks {
      let isRead: Void? = unlessRefused(TransportError.self) { try parser.feed(chunk) { events.append($0) } }
      if isRead == nil { return (events, true) }
    }
    return (events, false)
  }

  /// Everything but the first byte, in chunks of sizes that the first byte decides.
  private static func chunks(_ bytes: [UInt8]) -> [Data] {
    guard let first = bytes.first else { return [] }
    var chunks: [Data] = []
    var rest = bytes.dropFirst()
    var size = Int(first)
    while !rest.isEmpty {
      size = (size * 7 + 1) & 0xFF
      chunks.append(Data(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return chunks
  }

  private static let key = Result { try AESGCM(key: [UInt8](repeating: 1, count: 32)) }
  private static let header = EnvelopeHeader(sessionId: [UInt8](repeating: 2, count: 16), requestId: 3)

  /// Seals what stands there as kind, length and content, again and again.
  private static func seal(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
    var writer = FrameWriter(cipher: try key.get(), header: header)
    var sealed: [UInt8] = []
    var rest = bytes
    while rest.count >= 2 {
      guard let byte = rest.popFirst(), let length = rest.popFirst() else { break }
      guard let kind = FrameKind(rawValue: byte % 3) else { break }
      sealed += try writer.frame(kind, Data(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
      if sealed.count > largestInput { break }
    }
    return sealed
  }

  private struct Response: Equatable {
    var frames: [FrameReader.Frame] = []
    var isWhole = false
    var isRefused = false
  }

  private static func read(_ chunks: [Data]) throws -> Response {
    var reader = FrameReader(cipher: try key.get(), header: header)
    var response = Response()
    let isRead: Void? = unlessRefused(SealedError.self) {
      for chunk in chunks {
        reader.feed(chunk)
        while let frame = try reader.next() { response.frames.append(frame) }
      }
    }
    response.isRefused = isRead == nil
    response.isWhole = unlessRefused(SealedError.self) { try reader.finish() } != nil && isRead != nil
    return response
  }
}
