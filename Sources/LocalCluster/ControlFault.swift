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
  private let words: ControlWords

  init(_ words: ControlWords) { self.words = words }

  func apply(to node: FakeCloudNode) async throws {
    switch words.fault {
    case "answer":
      node.answer(
        try words.number("status", in: 400...599), try words.text("code"), times: try words.times(),
        operation: operation)
    case "proxyAnswer": node.proxyAnswer(try words.number("status", in: 400...599), times: try words.times())
    case "loseAnswer": node.loseAnswer(times: try words.times(), operation: operation)
    case "cut":
      await node.cut(
        afterFrames: try words.number("afterFrames", in: 0...1_000_000), times: try words.times())
    case "tamper":
      await node.tamper(frame: try words.number("frame", in: 0...1_000_000), times: try words.times())
    case "forgetSessions": await node.forgetSessions()
    case "busy":
      await node.busy(
        times: try words.times(), retryAfter: try words.number("retryAfter", in: 0...3600, default: 1))
    case "lag": node.lag(changes: UInt64(try words.number("changes", in: 0...1_000_000)))
    case "badQuote": node.badQuote(try badQuote())
    case "attestation": node.present(try presented(at: node))
    case "delay": node.delay(milliseconds: try words.number("milliseconds", in: 0...600_000))
    case "dropStreams": node.dropStreams(try words.streamEnd())
    case "silent": node.silent()
    case "clear": await node.clearFaults()
    default: throw words.unknownFault
    }
  }

  private var operation: String? { words.fields["operation"]?.stringValue }

  private func badQuote() throws -> FakeCloudNode.BadQuote? {
    switch words.fields["kind"]?.stringValue {
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
    let word = try words.text("present")
    guard let what = FakeCloudNode.Attestation(rawValue: word) else {
      let words = FakeCloudNode.Attestation.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(400, "a node cannot present “\(word)”; it can \(words)")
    }
    guard node.canPresent(what) else {
      throw ControlError(400, "this cluster makes mock quotes only; start it with --tdx")
    }
    return what
  }
}
