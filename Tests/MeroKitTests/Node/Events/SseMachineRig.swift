import Foundation
import MeroWire

@testable import MeroKit

/// A machine with a time of its own, and what it wanted done.
struct SseMachineRig {
  var machine = SseMachine()
  var now: TimeInterval = 0
  private(set) var attempt = 0
  private(set) var lastRequest: SseRequest?

  /// What the machine wants done, without what is stopped and dropped for good measure.
  @discardableResult
  mutating func send(_ input: SseMachine.Input) -> [SseMachine.Effect] {
    let effects = machine.handle(input, at: now)
    for effect in effects {
      if case .open(let number) = effect { attempt = number }
      if case .post(let request) = effect { lastRequest = request }
    }
    return effects.filter {
      switch $0 {
      case .stop, .drop: false
      default: true
      }
    }
  }

  mutating func want(_ contexts: String...) -> [SseMachine.Effect] {
    send(.want(contexts.map { .context($0) }))
  }

  mutating func unwant(_ contexts: String...) -> [SseMachine.Effect] {
    send(.unwant(contexts.map { .context($0) }))
  }

  mutating func connected(_ session: String = "1") -> [SseMachine.Effect] {
    send(.frame(.connect(session: session), attempt: attempt))
  }

  mutating func ended(_ error: MeroError) -> [SseMachine.Effect] { send(.ended(error, attempt: attempt)) }

  /// The node answers the last request, granting all or only some.
  mutating func granted(_ topics: [SseTopic]? = nil) -> [SseMachine.Effect] {
    guard let lastRequest else { return [] }
    return send(.answered(.success(Set(topics ?? lastRequest.topics)), lastRequest))
  }

  mutating func refused(_ error: MeroError) -> [SseMachine.Effect] {
    guard let lastRequest else { return [] }
    return send(.answered(.failure(error), lastRequest))
  }

  mutating func presence(_ context: String, _ data: JSONValue) -> [SseMachine.Effect] {
    send(.frame(.event(Self.presence(context, data)), attempt: attempt))
  }

  static func presence(_ context: String, _ data: JSONValue) -> ContextEvent {
    ContextEvent(
      contextId: context, kind: .ephemeral,
      payload: ["contextId": .string(context), "type": "Ephemeral", "data": data])
  }

  /// A machine whose stream is open, its subscription to these contexts granted.
  static func online(_ contexts: String...) -> SseMachineRig {
    var rig = SseMachineRig()
    rig.send(contexts.isEmpty ? .connect : .want(contexts.map { .context($0) }))
    _ = rig.connected()
    if !contexts.isEmpty { _ = rig.granted() }
    return rig
  }
}

extension [SseMachine.Effect] {
  /// The requests among them, as they are posted.
  var posts: [JSONValue] { compactMap { if case .post(let request) = $0 { request.json } else { nil } } }

  var states: [SseState] { compactMap { if case .announce(let state) = $0 { state } else { nil } } }

  var opens: Bool { contains { if case .open = $0 { true } else { false } } }

  func starts(_ timer: SseMachine.Timer) -> TimeInterval? {
    compactMap { if case .start(timer, let seconds) = $0 { seconds } else { nil } }.first
  }
}

extension MeroError {
  static func status(_ status: Int, auth: String? = nil, body: String = "") -> MeroError {
    .http(
      HTTPError(status: status, headers: auth.map { ["x-auth-error": $0] } ?? [:], bodyText: body))
  }

  static let revoked = MeroError.authRevoked(reason: "token_revoked", http: HTTPError(status: 403))
}
