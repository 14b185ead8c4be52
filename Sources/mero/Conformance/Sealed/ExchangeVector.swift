import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed

/// A request and its response, in the clear and sealed.
struct ExchangeVector {
  let path: String
  let requestId: UInt64
  let header: [UInt8]
  let requestNonce: [UInt8]
  let requestHead: String
  let requestBody: [UInt8]
  let requestInner: [UInt8]
  let envelope: [UInt8]
  let responseHead: String
  let pieces: [[UInt8]]
  let frames: [[UInt8]]
  let nonces: [[UInt8]]
  let responseBody: [UInt8]
  let endsProperly: Bool

  init(_ object: VectorObject) throws(Mismatch) {
    path = object.path
    object.prose("note")
    requestId = try object.identifier("requestId")
    header = try object.bytes("header")
    requestNonce = try object.bytes("requestNonce")
    requestHead = try object.text("requestHeadJson")
    requestBody = try object.bytes("requestBodyHex")
    requestInner = try object.bytes("requestInnerHex")
    envelope = try object.bytes("requestEnvelope")
    responseHead = try object.text("responseHeadJson")
    pieces = try object.byteLists("responsePiecesHex")
    frames = try object.byteLists("responseFrames")
    nonces = try object.byteLists("responseNonces")
    responseBody = try object.bytes("responseBodyHex")
    endsProperly = try object.flag("endsProperly")
    try object.finish()
  }

  /// Checks a list of exchanges and gives them back.
  static func check(
    _ objects: [VectorObject], of session: SessionVector, _ run: inout ConformanceRun
  ) async throws -> [ExchangeVector] {
    var exchanges: [ExchangeVector] = []
    for object in objects {
      let exchange = try ExchangeVector(object)
      await exchange.check("\(session.name): request \(exchange.requestId)", in: session, &run)
      exchanges.append(exchange)
    }
    await run.check("\(session.name): the exchanges are there") {
      try require(!exchanges.isEmpty, "there is no exchange")
      try require(exchanges.allSatisfy(\.endsProperly), "an exchange in this list does not end properly")
    }
    return exchanges
  }

  func check(_ name: String, in session: SessionVector, _ run: inout ConformanceRun) async {
    let sealed = session.header(requestId)
    await run.check("\(name): header and nonces") {
      try require("the header", sealed.bytes, is: header)
      try require("the request's nonce", sealed.requestNonce, is: requestNonce)
      let made = frames.indices.map { sealed.frameNonce(UInt32($0)) }
      try require("the frames' nonces", made.map(hexText), is: nonces.map(hexText))
    }
    await run.check("\(name): sealing gives the envelope") {
      guard let head = InnerRequestHead(parsing: Data(requestHead.utf8)) else {
        throw Mismatch("the request's head is not well formed")
      }
      let encoded = try head.encoded()
      try require("the head", String(decoding: encoded, as: UTF8.self), is: requestHead)
      let inner = UInt32(encoded.count).bigEndianBytes + encoded + requestBody
      try require("the inner request", inner, is: requestInner)
      let made = try Envelope.seal(
        head: encoded, body: Data(requestBody), header: sealed, cipher: try session.requestCipher)
      try require("the envelope", [UInt8](made), is: envelope)
    }
    await run.check("\(name): opening the envelope gives the request") {
      let opened = Envelope.open(Data(envelope), header: sealed, cipher: try session.requestCipher)
      guard case .parts(let head, let body) = opened else { throw Mismatch("the envelope does not open") }
      try require("the head", String(decoding: head, as: UTF8.self), is: requestHead)
      try require("the body", [UInt8](body), is: requestBody)
    }
    await run.check("\(name): the node's frames") { try await checkFrames(in: session) }
    for size in [Int.max, 1, 7] {
      let chunks = size == .max ? "at once" : "\(size) bytes at a time"
      await run.check("\(name): the client reads the frames \(chunks)") {
        try read(frames.flatMap { $0 }, by: size, in: session)
      }
    }
    await run.check("\(name): the pieces are the body") {
      try require("the body", pieces.flatMap { $0 }, is: responseBody)
    }
  }

  /// Sends the envelope to a real node, whose router answers with the vector's head and pieces.
  private func checkFrames(in session: SessionVector) async throws {
    let node = try await session.nodeInSession()
    let head = try InnerResponseHead(parsing: Data(responseHead.utf8))
    try require("the head", String(decoding: head.encoded(), as: UTF8.self), is: responseHead)
    if !endsProperly { await node.inject { $0.cutAfterFrames = frames.count } }
    let seen = Locked<SealedInnerRequest?>(nil)
    let answer = await node.exchange(
      HTTPRequest(.post, CannedNode.exchangeURL, body: .data(Data(envelope)))
    ) { request in
      seen.withLock { $0 = request }
      let pieces = Locked(self.pieces[...])
      return HTTPResponse(
        status: head.status, headers: head.headers,
        body: HTTPBody(next: { pieces.withLock { $0.popFirst().map { Data($0) } } }))
    }
    try require("the status", answer.status, is: 200)
    var made: [[UInt8]] = []
    for try await frame in answer.body { made.append([UInt8](frame)) }
    try require("the frames", made.map(hexText), is: frames.map(hexText))
    guard let request = seen.withLock({ $0 }) else { throw Mismatch("the router saw no request") }
    try require("the id", request.requestId, is: requestId)
    try require("the session", request.sessionId, is: session.sessionId)
    try require("the body", [UInt8](request.body), is: requestBody)
    let parsed = InnerRequestHead(parsing: Data(requestHead.utf8))
    try require("the method", request.method, is: parsed?.method)
    try require("the path", request.path, is: parsed?.path)
  }

  private func read(_ stream: [UInt8], by size: Int, in session: SessionVector) throws {
    var reader = FrameReader(cipher: try session.responseCipher, header: session.header(requestId))
    var heads: [InnerResponseHead] = []
    var bodies: [[UInt8]] = []
    var hasEnded = false
    var rest = stream[...]
    while !rest.isEmpty {
      reader.feed(Data(rest.prefix(size)))
      rest = rest.dropFirst(size)
      while let frame = try reader.next() {
        switch frame {
        case .head(let head): heads.append(head)
        case .data(let body): bodies.append([UInt8](body))
        case .end: hasEnded = true
        }
      }
    }
    try require("the heads", heads, is: [try InnerResponseHead(parsing: Data(responseHead.utf8))])
    try require("the pieces", bodies.map(hexText), is: pieces.map(hexText))
    try require("the end frame", hasEnded, is: endsProperly)
    var end: SealedError?
    do { try reader.finish() } catch { end = error }
    try require("the end", end, is: endsProperly ? nil : .cutShort)
  }
}
