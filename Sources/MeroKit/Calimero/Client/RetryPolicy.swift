import Foundation

/// How often, how long and with which waits one request is tried (70 §2.6).
///
/// A *try* is one effort to get the request to one node, whatever ends it. Going on to a node that was not tried yet
/// costs no wait; once every node had its turn, a new round begins after a wait that grows from round to round.
///
/// ```swift
/// var options = CalimeroClientOptions(baseUrl: url)
/// options.retry.maxTries = 3
/// let once = CallOptions(retry: RetryPolicy.none)
/// ```
public struct RetryPolicy: Sendable, Hashable {
  /// The most tries of one request; at least 1.
  public var maxTries: Int
  /// Seconds before the second round; half of each wait is random.
  public var baseWait: TimeInterval
  /// By how much the wait grows with each further round.
  public var factor: Double
  /// The longest wait, in seconds.
  public var maxWait: TimeInterval
  /// Seconds for one request, all tries, waits and refreshes included; a person's time at a passkey is not counted.
  public var deadline: TimeInterval
  /// The same for a call, which may run longer than any other request.
  public var callDeadline: TimeInterval

  /// A policy; what is left out is the default of Calimero clients.
  public init(
    maxTries: Int = 6, baseWait: TimeInterval = 0.2, factor: Double = 2, maxWait: TimeInterval = 2,
    deadline: TimeInterval = 30, callDeadline: TimeInterval = 90
  ) {
    self.maxTries = maxTries
    self.baseWait = baseWait
    self.factor = factor
    self.maxWait = maxWait
    self.deadline = deadline
    self.callDeadline = callDeadline
  }

  /// Six tries, waits from 0.2 to 2 seconds, 30 seconds in all, 90 for a call.
  public static let standard = RetryPolicy()

  /// One try. A refreshed token or an answered challenge does not count as another.
  public static let none = RetryPolicy(maxTries: 1)

  /// Seconds to wait before round `round` (2, 3, ...) when `unit` in `0 ..< 1` was drawn.
  func wait(beforeRound round: Int, unit: Double) -> TimeInterval {
    let whole = min(maxWait, baseWait * pow(factor, Double(max(0, round - 2))))
    return whole / 2 + unit * whole / 2
  }

  /// What makes a policy unusable, or nil.
  var flaw: String? {
    guard maxTries >= 1 else { return "retry.maxTries is \(maxTries); at least one try is needed." }
    guard factor.isFinite, factor >= 1 else { return "retry.factor is \(factor); it must be 1 or more." }
    guard baseWait >= 0, maxWait >= 0 else { return "the waits of retry must not be negative." }
    guard deadline > 0, callDeadline > 0 else { return "the deadlines of retry must be above zero." }
    return nil
  }
}

/// How long one try may take, in seconds (70 §2.28).
public struct Timeouts: Sendable, Hashable {
  /// Until a node that is known gives a first sign of life, that is, answers the sealed handshake.
  public var connect: TimeInterval
  /// For an attestation.
  public var attest: TimeInterval
  /// For any request but a call, from sending to its answer.
  public var request: TimeInterval
  /// For a call.
  public var call: TimeInterval
  /// Without a byte on an event stream, before it is taken for dead.
  public var streamIdle: TimeInterval

  /// Time limits; what is left out is the default of Calimero clients.
  public init(
    connect: TimeInterval = 10, attest: TimeInterval = 15, request: TimeInterval = 30,
    call: TimeInterval = 60,
    streamIdle: TimeInterval = 45
  ) {
    self.connect = connect
    self.attest = attest
    self.request = request
    self.call = call
    self.streamIdle = streamIdle
  }

  /// What makes the limits unusable, or nil.
  var flaw: String? {
    [connect, attest, request, call, streamIdle].allSatisfy { $0 > 0 }
      ? nil : "every one of timeouts must be above zero."
  }
}
