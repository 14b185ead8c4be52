import Foundation
import MeroKitTestSupport
import MeroWire

/// A fault as the control listener is told it: a JSON object with the fault's name and its fields.
///
/// | `fault` | fields | effect |
/// |---|---|---|
/// | `answer` | `status`, `code`, `times` (1), `operation` | refuses requests before running them |
/// | `proxyAnswer` | `status`, `times` (1) | a proxy's page instead of a sealed answer |
/// | `loseAnswer` | `times` (1), `operation` | runs requests and drops the connection |
/// | `cut` | `afterFrames`, `times` (1) | ends responses without an end frame |
/// | `tamper` | `frame`, `times` (1) | flips a bit in a frame |
/// | `forgetSessions` | | forgets the sealed sessions |
/// | `busy` | `times` (1), `retryAfter` in seconds (1) | refuses handshakes |
/// | `lag` | `changes` | stays behind by so many changes |
/// | `badQuote` | `kind`: `wrongNonce`, `wrongKey`, `wrongCluster`, `unsigned`, `malformed`; none: right again | lies when attested |
/// | `attestation` | `present`: `good` or what is wrong with it (see `FakeCloudNode.Attestation`) | presents that when attested |
/// | `delay` | `milliseconds` | makes every request wait |
/// | `dropStreams` | `how`: `ended` (the default), `cut`, `frozen` | ends open event streams |
/// | `silent` | | takes requests and never answers |
/// | `clear` | | behaves again: every fault set before is gone |
struct ControlFault {
  private let name: String
  private let fields: JSONValue

  init(parsing body: Data) throws {
    guard let fields = try? JSONValue(parsing: body), let name = fields["fault"]?.stringValue else {
      throw ControlError(400, #"the body is a JSON object such as {"fault": "loseAnswer", "times": 1}"#)
    }
    self.name = name
    self.fields = fields
  }

  func apply(to node: FakeCloudNode) async throws {
    switch name {
    case "answer":
      node.answer(
        try number("status", in: 400...599), try text("code"), times: try times(), operation: operation)
    case "proxyAnswer": node.proxyAnswer(try number("status", in: 400...599), times: try times())
    case "loseAnswer": node.loseAnswer(times: try times(), operation: operation)
    case "cut": await node.cut(afterFrames: try number("afterFrames", in: 0...1_000_000), times: try times())
    case "tamper": await node.tamper(frame: try number("frame", in: 0...1_000_000), times: try times())
    case "forgetSessions": await node.forgetSessions()
    case "busy":
      await node.busy(times: try times(), retryAfter: try number("retryAfter", in: 0...3600, default: 1))
    case "lag": node.lag(changes: UInt64(try number("changes", in: 0...1_000_000)))
    case "badQuote": node.badQuote(try badQuote())
    case "attestation": node.present(try presented(at: node))
    case "delay": node.delay(milliseconds: try number("milliseconds", in: 0...600_000))
    case "dropStreams": node.dropStreams(try streamEnd())
    case "silent": node.silent()
    case "clear": await node.clearFaults()
    default: throw ControlError(400, "there is no fault “\(name)”")
    }
  }

  private var operation: String? { fields["operation"]?.stringValue }

  private func times() throws -> Int { try number("times", in: 1...1_000_000, default: 1) }

  private func number(_ field: String, in range: ClosedRange<Int>, default fallback: Int? = nil) throws -> Int
  {
    guard let value = fields[field] else {
      if let fallback { return fallback }
      throw ControlError(400, "the fault “\(name)” needs “\(field)”")
    }
    guard let number = value.int, range.contains(number) else {
      throw ControlError(400, "“\(field)” is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func text(_ field: String) throws -> String {
    guard let text = fields[field]?.stringValue else {
      throw ControlError(400, "the fault “\(name)” needs “\(field)”")
    }
    return text
  }

  private func badQuote() throws -> FakeCloudNode.BadQuote? {
    switch fields["kind"]?.stringValue {
    case nil: return nil
    case "wrongNonce": return .wrongNonce
    case "wrongKey": return .wrongKey
    case "wrongCluster": return .wrongCluster
    case "unsigned": return .unsigned
    case "malformed": return .malformed
    case .some(let kind): throw ControlError(400, "a quote cannot be “\(kind)”")
    }
  }

  private func presented(at node: FakeCloudNode) throws -> FakeCloudNode.Attestation {
    let word = try text("present")
    guard let what = FakeCloudNode.Attestation(rawValue: word) else {
      let words = FakeCloudNode.Attestation.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(400, "a node cannot present “\(word)”; it can \(words)")
    }
    guard node.canPresent(what) else {
      throw ControlError(400, "this cluster makes mock quotes only; start it with --tdx")
    }
    return what
  }

  private func streamEnd() throws -> FakeCloudNode.StreamEnd {
    switch fields["how"]?.stringValue {
    case nil, "ended": return .ended
    case "cut": return .cut
    case "frozen": return .frozen
    case .some(let how): throw ControlError(400, "streams cannot be ended “\(how)”")
    }
  }
}
