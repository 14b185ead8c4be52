import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed
import MeroWire

/// Requests that a node must refuse. As with the client's, each is made again from the session before a real node gets
/// it.
struct NodeRefusals {
  let session: SessionVector
  let exchanges: [ExchangeVector]

  func check(_ objects: [VectorObject], _ run: inout ConformanceRun) async {
    let cases = cases
    var missing = Set(cases.keys)
    for object in objects {
      let name = (try? object.text("name")) ?? object.path
      await run.check("nodeMustRefuse \(name)") {
        guard let known = cases[name], missing.remove(name) != nil else {
          throw Mismatch("nobody knows this case, or it is there twice")
        }
        object.prose("note")
        let body = try object.bytes("body")
        try known(body)
        let isReplay = name == "request-replayed"
        let answer = try await answer(to: body, at: try object.text("path"), afterSending: isReplay)
        try require("the status", answer.status, is: try object.number("status"))
        try require("the content type", answer.headers["content-type"], is: "application/json")
        let error = try JSONValue(parsing: try await answer.body.collect(upTo: 1 << 16))["error"]
        try require("the code", error?["code"]?.stringValue, is: try object.text("code"))
        try require(error?["message"]?.stringValue?.isEmpty == false, "the refusal has no message")
        try object.finish()
      }
    }
    await run.check("nodeMustRefuse: every case is there") {
      try require(missing.isEmpty, "missing: \(missing.sorted().joined(separator: ", "))")
    }
  }

  private func answer(to body: [UInt8], at path: String, afterSending isReplay: Bool) async throws
    -> HTTPResponse
  {
    let node = try await session.nodeInSession()
    let url = CannedNode.base.appendingPathComponent(path)
    let request = HTTPRequest(.post, url, body: .data(Data(body)))
    switch url {
    case CannedNode.handshakeURL:
      return await node.handshake(request)
    case CannedNode.exchangeURL:
      if isReplay {
        let accepted = await node.exchange(request) { _ in HTTPResponse(status: 204) }
        try require("the status of the first time", accepted.status, is: 200)
      }
      return await node.exchange(request) { _ in throw Mismatch("the router was asked") }
    default:
      throw Mismatch("a node has no endpoint \(path)")
    }
  }

  // MARK: The cases

  /// Throws unless the bytes are what the case's name says.
  private typealias Requirement = ([UInt8]) throws -> Void

  private var envelope: [UInt8] {
    get throws {
      guard let first = exchanges.first(where: { $0.requestId == 1 }) else {
        throw Mismatch("there is no exchange with the id 1")
      }
      return first.envelope
    }
  }

  /// SHA-256 of the 32 bytes of the other key: any key but the node's own would do, so nothing else gives it away when
  /// the file was damaged there.
  private static let digestOfOtherKey = "1070215fd0464178ee8f20f3045e5b118614e3ed10324a561e55737c4b80c980"

  private var cases: [String: Requirement] {
    func made(_ make: @escaping () throws -> [UInt8]) -> Requirement {
      { try require("the case made again", try make(), is: $0) }
    }
    func inner(_ plaintext: [UInt8], id: UInt64) -> Requirement {
      made { try seal(plaintext, id: id) }
    }
    func head(_ json: String, id: UInt64) -> Requirement {
      inner(UInt32(json.utf8.count).bigEndianBytes + [UInt8](json.utf8), id: id)
    }
    let handshake = session.requestBody
    return [
      "request-version-3": made { [3] + (try envelope.dropFirst()) },
      "request-shorter-than-header-and-tag": made { Array(try envelope.prefix(40)) },
      "request-unknown-session": made {
        [SealedProtocol.version] + [UInt8](repeating: 0x99, count: 16) + (try envelope.dropFirst(17))
      },
      "request-tag-flipped": made { try envelope.flipped(try envelope.count - 1) },
      "request-header-id-changed": made {
        session.header(3).bytes + (try envelope.dropFirst(EnvelopeHeader.size))
      },
      "request-replayed": made { try envelope },
      "inner-too-short": inner([0, 0], id: 101),
      "inner-head-length-too-big": inner(UInt32(500).bigEndianBytes + [UInt8]("{}".utf8), id: 102),
      "inner-unknown-field": head(#"{"method":"GET","path":"/x","headers":[],"extra":1}"#, id: 103),
      "inner-path-not-absolute": head(#"{"method":"GET","path":"x","headers":[]}"#, id: 104),
      "inner-names-the-envelope": head(#"{"method":"POST","path":"/sealed/v2","headers":[]}"#, id: 105),
      "handshake-version-1": made { [1] + handshake.dropFirst() },
      "handshake-wrong-length": made { handshake.dropLast() },
      "handshake-other-key": { body in
        try require(
          "all but the key", body.prefix(1) + body.dropFirst(33),
          is: handshake.prefix(1) + handshake.dropFirst(33))
        try require(
          "the digest of the key", hexText(SHA256.hash([UInt8](body.dropFirst().prefix(32)))),
          is: Self.digestOfOtherKey)
      },
      "handshake-message-flipped": made { handshake.flipped(handshake.count - 1) },
      "handshake-low-order-ephemeral": made {
        handshake.prefix(33) + [UInt8](repeating: 0, count: 32) + handshake.dropFirst(65)
      },
      "handshake-with-payload": made {
        handshake.prefix(65)
          + (try AESGCM(key: session.trace[.firstKey] ?? []).seal(
            [UInt8]("early".utf8), nonce: [UInt8](repeating: 0, count: 12),
            authenticating: session.trace[.ephemeralHash] ?? []))
      },
    ]
  }

  private func seal(_ plaintext: [UInt8], id: UInt64) throws -> [UInt8] {
    let header = session.header(id)
    return header.bytes
      + (try session.requestCipher.seal(plaintext, nonce: header.requestNonce, authenticating: header.bytes))
  }
}
