import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed

/// A response that the node has to cut into frames, given by lengths and hashes.
enum LargeBodyVector {
  static func check(_ object: VectorObject, of session: SessionVector, _ run: inout ConformanceRun) async {
    var frames: [[UInt8]] = []
    var body: [UInt8] = []
    var header = session.header(0)
    await run.check("largeBody: the body") {
      object.prose("note")
      body = Self.body(try object.number("bodyLength"))
      try require("its hash", SHA256.hash(body), is: try object.bytes("bodySha256"))
      header = session.header(try object.identifier("requestId"))
    }
    await run.check("largeBody: the node's frames") {
      frames = try await self.frames(body, try object.text("responseHeadJson"), header, session)
      let stream = frames.flatMap { $0 }
      let prefixes = frames.map { $0.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
      try require("their lengths", prefixes, is: try object.numbers("frameLengthPrefixes"))
      let hashes = frames.map { hexText(SHA256.hash($0)) }
      try require("their hashes", hashes, is: try object.byteLists("frameSha256").map(hexText))
      try require("the stream's length", stream.count, is: try object.number("streamLength"))
      try require("the stream's hash", SHA256.hash(stream), is: try object.bytes("streamSha256"))
    }
    await run.check("largeBody: the client's reading") {
      var reader = FrameReader(cipher: try session.responseCipher, header: header)
      reader.feed(Data(frames.flatMap { $0 }))
      var read: [UInt8] = []
      while let frame = try reader.next() {
        if case .data(let piece) = frame { read += piece }
      }
      try reader.finish()
      try require("the body's hash", SHA256.hash(read), is: SHA256.hash(body))
    }
    await run.check("nothing unknown in \(object.path)") { try object.finish() }
  }

  /// Byte i is 7i mod 251.
  private static func body(_ count: Int) -> [UInt8] {
    let period = (0..<251).map { UInt8($0 * 7 % 251) }
    var body: [UInt8] = []
    while body.count < count { body += period }
    return Array(body.prefix(max(0, count)))
  }

  private static func frames(
    _ body: [UInt8], _ headText: String, _ header: EnvelopeHeader, _ session: SessionVector
  ) async throws -> [[UInt8]] {
    let head = try InnerResponseHead(parsing: Data(headText.utf8))
    try require("the head", String(decoding: head.encoded(), as: UTF8.self), is: headText)
    let envelope = try Envelope.seal(
      head: try InnerRequestHead(method: "GET", path: "/blob", headers: HTTPHeaders()).encoded(),
      body: Data(),
      header: header, cipher: try session.requestCipher)
    let answer = try await session.nodeInSession().exchange(
      HTTPRequest(.post, CannedNode.exchangeURL, body: .data(envelope))
    ) { _ in HTTPResponse(status: head.status, headers: head.headers, body: HTTPBody(Data(body))) }
    var frames: [[UInt8]] = []
    for try await frame in answer.body { frames.append([UInt8](frame)) }
    return frames
  }
}
