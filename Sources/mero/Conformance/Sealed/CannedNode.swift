import Foundation
import MeroHTTP
import MeroSealed

/// A node that answers what a vector says, and keeps what was sent and how much of its answer was read.
final class CannedNode: HTTPTransport {
  static let base = URL(string: "https://node.example")!  // a constant that parses
  static let handshakeURL = base.appendingPathComponent(SealedProtocol.handshakePath)
  static let exchangeURL = base.appendingPathComponent(SealedProtocol.exchangePath)

  private struct Record {
    var requests: [HTTPRequest] = []
    var read = 0
  }

  private let handshake: [UInt8]
  private let stream: [UInt8]
  /// What the connection goes on with after the stream; an honest reader never asks for it.
  private let excess: Int
  private let record = Locked(Record())
  private static let chunk = 16

  init(handshake: [UInt8], stream: [UInt8] = [], excess: Int = 0) {
    self.handshake = handshake
    self.stream = stream
    self.excess = excess
  }

  var requests: [HTTPRequest] { record.withLock { $0.requests } }
  var bytesRead: Int { record.withLock { $0.read } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    record.withLock {
      $0.requests.append(request)
      $0.read = 0
    }
    let isHandshake = request.url.path == SealedProtocol.handshakePath
    let answer = isHandshake ? handshake : stream + [UInt8](repeating: 0, count: excess)
    return HTTPResponse(
      status: 200, headers: ["content-type": SealedProtocol.contentType],
      body: HTTPBody(next: { self.nextChunk(of: answer) }))
  }

  private func nextChunk(of answer: [UInt8]) -> Data? {
    record.withLock { record in
      guard record.read < answer.count else { return nil }
      let start = record.read
      record.read = min(answer.count, start + Self.chunk)
      return Data(answer[start..<record.read])
    }
  }
}
