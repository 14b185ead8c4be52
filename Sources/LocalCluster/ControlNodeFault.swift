import Foundation
import MeroKitTestSupport
import MeroWire

/// A fault of the single node as the control listener is told it: a JSON object with the fault's name and its fields.
///
/// | `fault` | fields | effect |
/// |---|---|---|
/// | `answer` | `status`, `times` (1), `route` | refuses requests before running them |
/// | `notYet` | `times` (1), `route` | answers 503: the node cannot decide yet |
/// | `loseAnswer` | `times` (1), `route` | runs requests and drops the connection |
/// | `delay` | `milliseconds`, `times` (1), `route` | makes requests wait |
/// | `expireTokens` | | every access token counts as expired |
/// | `revokeSession` | | ends the session that was made or renewed last |
/// | `forgetSessions` | | refuses every token, as an upgraded node does |
/// | `dropStreams` | `how`: `ended` (the default), `cut`, `frozen` | ends open event streams |
/// | `silent` | | takes requests and never answers |
/// | `clear` | | behaves again: every fault set before is gone |
///
/// A `route` is named as in the API, with or without its method: `POST /jsonrpc`. Without one it is any.
struct ControlNodeFault {
  private let words: ControlWords

  init(_ words: ControlWords) { self.words = words }

  func apply(to node: FakeNode) throws {
    switch words.fault {
    case "answer":
      node.failNext(route, status: try words.number("status", in: 400...599), times: try words.times())
    case "notYet": node.notYet(route, times: try words.times())
    case "loseAnswer": node.loseAnswer(route, times: try words.times())
    case "delay":
      let seconds = TimeInterval(try words.number("milliseconds", in: 0...600_000)) / 1000
      node.delay(route, seconds: seconds, times: try words.times())
    case "expireTokens": node.expireAccessToken()
    case "revokeSession": node.revokeFamily()
    case "forgetSessions": node.forgetSessions()
    case "dropStreams": node.dropStreams(try words.streamEnd())
    case "silent": node.silent()
    case "clear": node.clearFaults()
    default: throw words.unknownFault
    }
  }

  private var route: String? { words.fields["route"]?.stringValue }
}
