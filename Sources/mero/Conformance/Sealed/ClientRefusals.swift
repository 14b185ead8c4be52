import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed

/// Answers that a client must not take. Each is first made again from the session, so that the file's bytes are what
/// the case's name says, and then given to a real client.
struct ClientRefusals {
  let session: SessionVector
  let exchanges: [ExchangeVector]

  /// Where a client notices, and as what.
  private enum Point {
    case handshake(SealedErrorKind)
    /// The response's head is not handed out.
    case head(SealedErrorKind)
    /// The head is, and nothing of the body.
    case body(SealedErrorKind)
  }

  private struct Case {
    let expect: String
    let point: Point
    let bytes: () throws -> [UInt8]
  }

  func check(_ objects: [VectorObject], _ run: inout ConformanceRun) async {
    let cases = cases
    var missing = Set(cases.keys)
    for object in objects {
      let name = (try? object.text("name")) ?? object.path
      await run.check("clientMustRefuse \(name)") {
        guard let known = cases[name], missing.remove(name) != nil else {
          throw Mismatch("nobody knows this case, or it is there twice")
        }
        try await check(object, known)
        try object.finish()
      }
    }
    await run.check("clientMustRefuse: every case is there") {
      try require(missing.isEmpty, "missing: \(missing.sorted().joined(separator: ", "))")
    }
  }

  private func check(_ object: VectorObject, _ known: Case) async throws {
    try require("what is expected", known.expect, is: try object.text("expect"))
    switch known.point {
    case .handshake(let kind):
      let reply = try object.bytes("handshakeResponseBody")
      try require("the case made again", try known.bytes(), is: reply)
      let node = CannedNode(handshake: reply)
      try await requireError(kind) { _ = try await send(to: node) }
      try require("requests sent", node.requests.count, is: 1)
    case .head(let kind):
      let node = try response(object, known)
      try await requireError(kind) { _ = try await send(to: node) }
      try require(node.bytesRead < 1024, "\(node.bytesRead) bytes were read")
    case .body(let kind):
      let node = try response(object, known)
      let response = try await send(to: node)
      try require("the status", response.status, is: 200)
      var delivered = 0
      try await requireError(kind) {
        for try await piece in response.body { delivered += piece.count }
      }
      try require("bytes delivered", delivered, is: 0)
    }
  }

  private func response(_ object: VectorObject, _ known: Case) throws -> CannedNode {
    try require("the id", try object.identifier("requestId"), is: try first.requestId)
    let stream = try object.bytes("responseStream")
    try require("the case made again", try known.bytes(), is: stream)
    // A frame that is too long is refused at its prefix, whatever follows; what ends early must really end.
    let isEndless = stream.starts(with: tooLong)
    return CannedNode(handshake: session.replyBody, stream: stream, excess: isEndless ? 1 << 20 : 0)
  }

  private func send(to node: CannedNode) async throws -> HTTPResponse {
    guard let head = InnerRequestHead(parsing: Data(try first.requestHead.utf8)) else {
      throw Mismatch("the request's head is not well formed")
    }
    let channel = try session.channel(to: node)
    do {
      let response = try await channel.send(
        method: head.method, innerPath: head.path, headers: head.headers.map { ($0.name, $0.value) },
        body: Data(try first.requestBody))
      try requireSent(by: node)
      return response
    } catch let error as SealedError {
      try requireSent(by: node)
      throw error
    }
  }

  /// What a real client sends is the vector's handshake and envelope.
  private func requireSent(by node: CannedNode) throws {
    let sent = node.requests.map { request in
      if case .data(let body) = request.body { return hexText([UInt8](body)) } else { return "" }
    }
    let expected = [session.requestBody, try first.envelope].map(hexText)
    try require("what was sent", sent, is: Array(expected.prefix(sent.count)))
  }

  private func requireError(_ kind: SealedErrorKind, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as SealedError {
      try require("the error", SealedErrorKind(error), is: kind)
      return
    }
    throw Mismatch("nothing was refused")
  }

  // MARK: The cases, made from the session

  private var first: ExchangeVector {
    get throws { try exchange(1) }
  }

  private func exchange(_ id: UInt64) throws -> ExchangeVector {
    guard let exchange = exchanges.first(where: { $0.requestId == id }) else {
      throw Mismatch("there is no exchange with the id \(id)")
    }
    return exchange
  }

  private var tooLong: [UInt8] { UInt32(SealedProtocol.frameLengthLimit + 1).bigEndianBytes }

  private var cases: [String: Case] {
    func handshake(
      _ expect: String, _ kind: SealedErrorKind, _ bytes: @escaping () throws -> [UInt8]
    ) -> Case {
      Case(expect: expect, point: .handshake(kind), bytes: bytes)
    }
    func stream(_ expect: String, _ point: Point, _ bytes: @escaping () throws -> [UInt8]) -> Case {
      Case(expect: expect, point: point, bytes: bytes)
    }
    let reply = session.replyBody
    let notTheNode = "refuse: the reply did not come from the attested node"
    return [
      "handshake-reply-tag-flipped": handshake(notTheNode, .notTheAttestedNode) { reply.flipped(68) },
      "handshake-reply-version-1": handshake("refuse: malformed", .malformedReply) {
        [1] + reply.dropFirst()
      },
      "handshake-reply-short": handshake("refuse: malformed", .malformedReply) { Array(reply.prefix(40)) },
      "handshake-reply-ephemeral-flipped": handshake(notTheNode, .notTheAttestedNode) { reply.flipped(5) },
      "handshake-reply-payload-21-bytes": handshake(
        "refuse: malformed (payload must be exactly 20 bytes)", .malformedReply
      ) { try longReply() },
      "frame-tag-flipped": stream("refuse: a frame did not open", .body(.frameDidNotOpen)) {
        let frames = try first.frames
        return frames[0] + frames[1].flipped(frames[1].count - 1) + frames[2]
      },
      "frames-swapped": stream(
        "refuse: a frame did not open (the index is in the nonce)", .body(.frameDidNotOpen)
      ) {
        let frames = try first.frames
        return frames[0] + frames[2] + frames[1]
      },
      "frame-dropped": stream("refuse: a frame did not open", .body(.frameDidNotOpen)) {
        let frames = try first.frames
        return frames[0] + frames[2]
      },
      "first-frame-not-head": stream("refuse: malformed", .head(.malformedReply)) {
        try frame([1] + [UInt8]("{}".utf8), 0)
      },
      "second-head": stream("refuse: malformed (kind 0 after the first frame)", .body(.malformedReply)) {
        try first.frames[0] + frame([0] + [UInt8]("{}".utf8), 1)
      },
      "unknown-kind": stream("refuse: malformed", .body(.malformedReply)) {
        try first.frames[0] + frame([3], 1)
      },
      "other-request-id": stream(
        "refuse: a frame did not open (sealed for request id 2)", .head(.frameDidNotOpen)
      ) {
        try frame([0] + [UInt8](try first.responseHead.utf8), 0, id: try exchange(2).requestId)
      },
      "frame-too-long": stream("refuse before buffering: length 65554 > 65553", .head(.frameTooLarge)) {
        tooLong + [UInt8](repeating: 0, count: 64)
      },
      "frame-too-short": stream(
        "refuse: a frame shorter than its tag cannot open", .head(.frameDidNotOpen)
      ) {
        UInt32(8).bigEndianBytes + [UInt8](repeating: 0, count: 8)
      },
      "empty-stream": stream("refuse: malformed (no head frame)", .head(.malformedReply)) { [] },
      "cut-inside-a-frame": stream(
        "deliver nothing of the cut frame, then: cut short", .body(.cutShort)
      ) {
        let frames = try first.frames
        return frames[0] + frames[1].dropLast(3)
      },
    ]
  }

  /// A reply that opens, with one byte too many inside.
  private func longReply() throws -> [UInt8] {
    var node = NoiseResponder(staticKey: try X25519.PrivateKey(bytes: session.transportSecret))
    _ = try node.readMessage1(session.message1)
    let payload = session.sessionId + session.lifetime.bigEndianBytes + [0]
    let ephemeral = try X25519.PrivateKey(bytes: session.nodeSecret)
    return [SealedProtocol.version] + (try node.writeMessage2(payload: payload, ephemeral: ephemeral).message)
  }

  /// A frame that no honest node makes.
  private func frame(_ plaintext: [UInt8], _ index: UInt32, id: UInt64 = 1) throws -> [UInt8] {
    let header = session.header(id)
    let sealed = try session.responseCipher.seal(
      plaintext, nonce: header.frameNonce(index), authenticating: header.bytes)
    return UInt32(sealed.count).bigEndianBytes + sealed
  }
}

/// A `SealedError` without its text.
enum SealedErrorKind: String {
  case malformedReply, notTheAttestedNode, frameDidNotOpen, cutShort, frameTooLarge, other

  init(_ error: SealedError) {
    switch error {
    case .malformedReply: self = .malformedReply
    case .notTheAttestedNode: self = .notTheAttestedNode
    case .frameDidNotOpen: self = .frameDidNotOpen
    case .cutShort: self = .cutShort
    case .frameTooLarge: self = .frameTooLarge
    default: self = .other
    }
  }
}

extension [UInt8] {
  /// The same bytes with the lowest bit of one of them turned over.
  func flipped(_ index: Int) -> [UInt8] {
    var bytes = self
    if bytes.indices.contains(index) { bytes[index] ^= 1 }
    return bytes
  }
}
