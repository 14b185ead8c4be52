import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

extension AdminApi {
  /// The admin API of a node behind a transport of the test's. Waits between tries take no time.
  init(
    _ transport: any HTTPTransport, at address: String = "https://node.test/mount",
    session: (any NodeSession)? = nil
  ) throws {
    let url = try #require(URL(string: address))
    self.init(
      http: NodeHTTP(
        baseURL: url, transport: transport, clock: .withoutWaits, random: .system, session: session))
  }

  /// The admin API of a node that answers every request with this text.
  static func answering(_ text: String, status: Int = 200) throws -> AdminApi {
    try AdminApi(RecordingTransport { _ in .json(text, status: status) })
  }
}

extension MeroClock {
  /// A clock that skips the waits between tries, and keeps the limits of requests.
  static let withoutWaits = MeroClock(
    now: MeroClock.system.now, uptime: MeroClock.system.uptime,
    sleep: { seconds in if seconds > 5 { try await MeroClock.system.sleep(seconds) } })
}

extension HTTPResponse {
  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"], body: HTTPBody(Data(text.utf8)))
  }
}

/// Answers every request by the test's rule, and keeps what was sent.
actor RecordingTransport: HTTPTransport {
  private(set) var sent: [HTTPRequest] = []
  private let answer: @Sendable (HTTPRequest) throws -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) {
    self.answer = answer
  }

  func send(_ request: HTTPRequest) throws -> HTTPResponse {
    sent.append(request)
    return try answer(request)
  }

  /// Method, path and query of what was sent, without the node's address.
  var lines: [String] {
    sent.map { request in
      let address = request.url.absoluteString
      return "\(request.method.rawValue) " + (address.components(separatedBy: "/admin-api/").last ?? address)
    }
  }
}

/// A session that always has the same token.
struct OneToken: NodeSession {
  var token = "secret"

  func bearer() -> String? { token }
  func refresh(sent: String) throws -> String { throw MeroError.noRefreshToken }
  func revoked(_ reason: String, http: HTTPError, sent: String?) -> MeroError {
    .authRevoked(reason: reason, http: http)
  }
}

/// Repeatable randomness (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// JSON as written, so that tests show what is on the wire.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
