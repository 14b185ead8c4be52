/// What carries one exchange over the network: a task of `URLSession`, or a transfer of libcurl's.
protocol Transfer: Sendable {
  /// Whether pausing holds the sender back. Where it does not, a pause is not asked for.
  var canPause: Bool { get }
  /// Whether the exchange is asked before the first byte goes out (``Exchange/willSend()``). Where it is not, nobody knows
  /// whether any did.
  var asksBeforeSending: Bool { get }

  /// Sends the request and tells `exchange` what becomes of it. Called once at most; does nothing after `cancel`.
  func begin(_ exchange: Exchange)
  func pause()
  func resume()
  func cancel()
}

/// Where exchanges get their connections.
protocol Connections: Sendable {
  /// The exchange of `request`, not begun. Throws when the request cannot be sent as it stands.
  func exchange(for request: HTTPRequest, clock: MeroClock) throws -> Exchange
}
