import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import Testing

@Suite("hostile bytes")
struct HostileBytesTests {
  @Test(
    "70 §2.27 #26: whatever is done to a response's bytes, only a true beginning of its body is handed out",
    arguments: 0..<8 as Range<UInt64>)
  func responses(seed: UInt64) async throws {
    let random = SeededRandom(seed: seed)
    let cipher = try AESGCM(key: random.bytes(32))
    let header = EnvelopeHeader(sessionId: random.bytes(16), requestId: 1)
    let body = random.bytes(3000)
    var writer = FrameWriter(cipher: cipher, header: header)
    var frames = [[UInt8](try writer.frame(.head, [UInt8](#"{"status":200,"headers":[]}"#.utf8)))]
    for start in stride(from: 0, to: body.count, by: 500) {
      frames.append([UInt8](try writer.frame(.data, Array(body[start..<start + 500]))))
    }
    frames.append([UInt8](try writer.frame(.end, [UInt8]())))
    let original = frames.flatMap { $0 }
    for _ in 0..<300 {
      let stream = mutated(frames, random)
      let outcome = read(stream, cipher, header, random)
      #expect(body.starts(with: outcome.body), "what was handed out is not a beginning of the body")
      if outcome.error == nil {
        // Bytes after the end frame belong to nobody; up to it everything must be as it was sent.
        #expect(stream.starts(with: original))
        #expect(outcome.body == body)
      }
    }
    let whole = read(original, cipher, header, random)
    #expect(whole.error == nil)
    #expect(whole.body == body)
  }

  @Test("a response sealed for another request, or by another session, does not open")
  func otherRequests() throws {
    let cipher = try AESGCM(key: [UInt8](repeating: 1, count: 32))
    let session = [UInt8](repeating: 2, count: 16)
    let header = EnvelopeHeader(sessionId: session, requestId: 1)
    var writer = FrameWriter(cipher: cipher, header: header)
    let frame = try writer.frame(.head, [UInt8](#"{"status":200}"#.utf8))
    let others = [
      EnvelopeHeader(sessionId: session, requestId: 2),
      EnvelopeHeader(sessionId: [UInt8](repeating: 3, count: 16), requestId: 1),
    ]
    for other in others {
      var reader = FrameReader(cipher: cipher, header: other)
      reader.feed(frame)
      #expect(throws: SealedError.frameDidNotOpen) { try reader.next() }
      #expect(try reader.next() == nil, "nothing after a failure is trusted")
    }
  }

  @Test(
    "a frame's announced length is refused before any of it is kept",
    arguments: [65_554, 1 << 24, 0xFFFF_FFFF])
  func hugeFrame(length: UInt32) throws {
    let cipher = try AESGCM(key: [UInt8](repeating: 1, count: 32))
    var reader = FrameReader(
      cipher: cipher, header: EnvelopeHeader(sessionId: [UInt8](repeating: 2, count: 16), requestId: 1))
    reader.feed(Data(length.bigEndianBytes))
    #expect(throws: SealedError.frameTooLarge) { try reader.next() }
  }

  @Test("a sender that never stops sending an oversized frame is cut off within 1 KiB")
  func endlessFrame() async throws {
    let sent = Locked(0)
    let cancelled = Locked(false)
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterExchange = { response in
        HTTPResponse(
          status: 200, headers: response.headers,
          body: HTTPBody(
            next: {
              sent.withLock { $0 += 64 }
              return Data(repeating: 0xFF, count: 64)
            }, cancel: { cancelled.withLock { $0 = true } }))
      }
    }
    let error = await failure { _ = try await rig.get() }
    #expect(error as? SealedError == .frameTooLarge)
    #expect(sent.withLock { $0 } < 1024)
    #expect(cancelled.withLock { $0 })
  }

  @Test(
    "whatever is done to an envelope, the node refuses it and its router sees nothing",
    arguments: 0..<4 as Range<UInt64>)
  func envelopes(seed: UInt64) async throws {
    let random = SeededRandom(seed: seed)
    let node = try await OpenedNode()
    for id in 1...150 as ClosedRange<UInt64> {
      let envelope = try node.envelope(id, body: Data(random.bytes(Int(random.word() % 200))))
      let changed = mutated([envelope], random)
      guard changed != envelope else { continue }
      #expect(try await node.code(changed) != nil)
    }
    #expect(node.routed.withLock { $0 }.isEmpty)
    #expect(try await node.code(try node.envelope(1000)) == nil)
  }

  @Test(
    "whatever is done to a handshake, neither side opens a session with it", arguments: 0..<4 as Range<UInt64>
  )
  func handshakes(seed: UInt64) async throws {
    let random = SeededRandom(seed: seed)
    var limits = SealedLimits()
    limits.handshakeBurst = 1000
    let responder = SealedResponder(random: random.random, limits: limits)
    let key = await responder.transportPublicKey()
    for _ in 0..<60 {
      var client = try ClientHandshake(
        transportKey: key, ephemeral: X25519.PrivateKey(bytes: random.bytes(32)))
      let request = [UInt8](client.requestBody)
      let changed = mutated([request], random)
      if changed != request {
        let refused = await responder.handshake(
          HTTPRequest(.post, SealedRig.base, body: .data(Data(changed))))
        #expect(refused.status == 400 || refused.status == 409)
      }
      let answer = await responder.handshake(HTTPRequest(.post, SealedRig.base, body: .data(Data(request))))
      let reply = [UInt8](try await answer.body.collect(upTo: 1024))
      let changedReply = mutated([reply], random)
      guard changedReply != reply else { continue }
      #expect(throws: SealedError.self) { try client.read(Data(changedReply)) }
    }
  }

  @Test("heads made of random and damaged JSON are read or refused, never more")
  func heads() throws {
    let random = SeededRandom(seed: 5)
    let good = [UInt8](#"{"method":"POST","path":"/a?b=c","headers":[["x","y"],["z","\u00e9\\\"\t"]]}"#.utf8)
    for _ in 0..<3000 {
      let bytes = Data(mutated([good], random))
      if let head = InnerRequestHead(parsing: bytes) {
        #expect(head.path.hasPrefix("/"))
        #expect(InnerRequestHead(parsing: Data(try head.encoded())) != nil)
      }
      if let head = try? InnerResponseHead(parsing: bytes) { #expect((100...999).contains(head.status)) }
    }
  }

  // MARK: Doing things to bytes

  /// The parts joined, after one to three of: a flipped bit, a cut, bytes put in or taken out, parts swapped, repeated
  /// or dropped.
  private func mutated(_ parts: [[UInt8]], _ random: SeededRandom) -> [UInt8] {
    func below(_ limit: Int) -> Int { limit > 0 ? Int(random.word() % UInt64(limit)) : 0 }
    var parts = parts
    for _ in 0...below(3) where parts.count > 1 && random.unit() < 0.4 {
      switch below(3) {
      case 0: parts.swapAt(below(parts.count), below(parts.count))
      case 1: parts.insert(parts[below(parts.count)], at: below(parts.count))
      default: parts.remove(at: below(parts.count))
      }
    }
    var bytes = parts.flatMap { $0 }
    for _ in 0...below(2) where !bytes.isEmpty {
      switch below(6) {
      case 0, 1: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
      case 2: bytes.removeLast(below(bytes.count))
      case 3: bytes.insert(contentsOf: random.bytes(1 + below(20)), at: below(bytes.count))
      case 4:
        let start = below(bytes.count)
        bytes.removeSubrange(start..<min(bytes.count, start + 1 + below(20)))
      default: break
      }
    }
    return bytes
  }

  /// Reads a stream in pieces of random sizes.
  private func read(
    _ stream: [UInt8], _ cipher: AESGCM, _ header: EnvelopeHeader, _ random: SeededRandom
  ) -> (body: [UInt8], error: SealedError?) {
    var reader = FrameReader(cipher: cipher, header: header)
    var body: [UInt8] = []
    var rest = stream[...]
    do throws(SealedError) {
      while !rest.isEmpty {
        let piece = rest.prefix(1 + Int(random.word() % 900))
        rest = rest.dropFirst(piece.count)
        reader.feed(Data(piece))
        while let frame = try reader.next() {
          if case .data(let data) = frame { body += [UInt8](data) }
        }
      }
      try reader.finish()
      return (body, nil)
    } catch {
      return (body, error)
    }
  }
}
