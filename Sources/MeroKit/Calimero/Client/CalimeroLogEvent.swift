import Foundation

/// Something that happened on the way of a request, for a log or a test. It never holds a token, a key, a body or
/// anything of a passkey.
///
/// ```swift
/// options.log = { event in print(event) }
/// // tryEnded · org_get · try 2 · at https://node-2.example.org · 200 · 0.012 s · request 0b0ac6f1-…
/// ```
public struct CalimeroLogEvent: Sendable, Hashable, CustomStringConvertible {
  /// What kind of thing happened. Open: later versions may tell more.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The word itself.
    public let rawValue: String
    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A try begins.
    public static let tryBegan = Kind(rawValue: "tryBegan")
    /// A try ended; ``CalimeroLogEvent/text`` says how.
    public static let tryEnded = Kind(rawValue: "tryEnded")
    /// Every node had its turn, and the request waits for ``CalimeroLogEvent/seconds``.
    public static let waiting = Kind(rawValue: "waiting")
    /// A node's attestation was accepted.
    public static let attested = Kind(rawValue: "attested")
    /// A node's attestation was not accepted; the node is not used for five minutes.
    public static let attestationRefused = Kind(rawValue: "attestationRefused")
    /// The access token was renewed.
    public static let refreshed = Kind(rawValue: "refreshed")
    /// A passkey or an operator's key was asked for.
    public static let stepUp = Kind(rawValue: "stepUp")
    /// The cluster named nodes that were not known.
    public static let discovered = Kind(rawValue: "discovered")
  }

  /// What kind of thing.
  public let kind: Kind
  /// The node's base URL, when it is about one.
  public let node: URL?
  /// The operation's id, or the method outside the API document.
  public let operation: String?
  /// The request's id at the node.
  public let requestId: String?
  /// The try, from 1.
  public let attempt: Int?
  /// The status of an answer.
  public let status: Int?
  /// How long it took, or how long it waits.
  public let seconds: TimeInterval?
  /// What happened, in plain words; of a refusal, its code.
  public let text: String?

  init(
    _ kind: Kind, node: URL? = nil, operation: String? = nil, requestId: String? = nil, attempt: Int? = nil,
    status: Int? = nil, seconds: TimeInterval? = nil, text: String? = nil
  ) {
    self.kind = kind
    self.node = node
    self.operation = operation
    self.requestId = requestId
    self.attempt = attempt
    self.status = status
    self.seconds = seconds
    self.text = text
  }

  /// The event on one line.
  public var description: String {
    let parts: [String?] = [
      kind.rawValue, operation, attempt.map { "try \($0)" }, node.map { "at \($0.absoluteString)" },
      status.map(String.init), seconds.map { String(format: "%.3f s", $0) }, text,
      requestId.map { "request \($0)" },
    ]
    return parts.compactMap { $0 }.joined(separator: " · ")
  }
}
