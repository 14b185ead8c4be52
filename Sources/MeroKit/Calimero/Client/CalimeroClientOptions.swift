import Foundation
import MeroHTTP
import MeroTrust

/// Everything a ``CalimeroClient`` can be told when it is made (70 §2.4).
///
/// ```swift
/// var options = CalimeroClientOptions(baseUrl: "https://node-1.example.org", nodes: ["https://node-2.example.org"])
/// options.clusterId = "5d41…"
/// options.sessionStore = KeychainSessionStore(account: "example")
/// let client = CalimeroClient(options)
/// ```
///
/// Making a client never fails: an option that cannot be used throws ``CalimeroError/invalidInput(_:)`` from the first
/// use of the client.
public struct CalimeroClientOptions: Sendable {
  /// The first node: an absolute `http` or `https` URL without user, query and fragment; a path is kept.
  public var baseUrl: String
  /// Further nodes of the same cluster.
  public var nodes: [String]
  /// Which attestations are accepted.
  public var policy: TeePolicy
  /// The cluster's id, 64 hex characters. When given, only its nodes are used; else those of the stored session's
  /// cluster, else those of the cluster that was attested first.
  public var clusterId: String?
  /// Whether the nodes that the cluster lists are used too; each is attested like any other.
  public var discoverNodes: Bool
  /// Where the session is kept.
  public var sessionStore: any SessionStore
  /// An API key to use instead of a session. The session store is not read then.
  public var apiKey: String?
  /// Who confirms requests that need a person; as ``CalimeroClient/useStepUp(_:)``.
  public var passkey: (any PasskeyProvider)?
  /// Who signs requests that need an operator; as ``CalimeroClient/useOperatorSigner(_:)``.
  public var operatorSigner: (any OperatorSigner)?
  /// Tries, waits and deadline of a request.
  public var retry: RetryPolicy
  /// How long one try may take.
  public var timeouts: Timeouts
  /// What views may show after a failover.
  public var consistency: Consistency
  /// What a session of this client is called in the account's list of sessions; at most 80 characters.
  public var deviceLabel: String?
  /// Replaces what nodes are told about the client software.
  public var userAgent: String?
  /// Whether a node that is not on this machine may be spoken to without TLS under ``TeePolicy/production``. The
  /// content is sealed either way; who speaks to whom and how much is not.
  public var allowInsecureOuterTransport: Bool
  /// The HTTP client beneath the sealed channel.
  public var transport: any HTTPTransport
  /// Checks quotes in place of the built-in verifier.
  public var quoteVerifier: (any QuoteVerifier)?
  /// Where signed release documents are fetched; trusted for their signature alone.
  public var releaseMirrorURL: String
  /// Whose signatures count for hardware and releases. Others than the built-in ones are for tests.
  public var trustRoots: TrustRoots
  /// Time.
  public var clock: MeroClock
  /// Randomness.
  public var random: MeroRandom
  /// Receives what happens on the way of each request. Never a token, a key or a body.
  public var log: (@Sendable (CalimeroLogEvent) -> Void)?

  /// Options with everything but the node's URL at its default.
  public init(
    baseUrl: String, nodes: [String] = [], policy: TeePolicy = .production, clusterId: String? = nil,
    discoverNodes: Bool = false, sessionStore: any SessionStore = MemorySessionStore(), apiKey: String? = nil,
    passkey: (any PasskeyProvider)? = nil, operatorSigner: (any OperatorSigner)? = nil,
    retry: RetryPolicy = .standard, timeouts: Timeouts = Timeouts(), consistency: Consistency = .session,
    deviceLabel: String? = nil, userAgent: String? = nil, allowInsecureOuterTransport: Bool = false,
    transport: any HTTPTransport = URLSessionTransport(), quoteVerifier: (any QuoteVerifier)? = nil,
    releaseMirrorURL: String = "https://cloud.calimero.network", trustRoots: TrustRoots = .builtIn,
    clock: MeroClock = .system, random: MeroRandom = .system,
    log: (@Sendable (CalimeroLogEvent) -> Void)? = nil
  ) {
    self.baseUrl = baseUrl
    self.nodes = nodes
    self.policy = policy
    self.clusterId = clusterId
    self.discoverNodes = discoverNodes
    self.sessionStore = sessionStore
    self.apiKey = apiKey
    self.passkey = passkey
    self.operatorSigner = operatorSigner
    self.retry = retry
    self.timeouts = timeouts
    self.consistency = consistency
    self.deviceLabel = deviceLabel
    self.userAgent = userAgent
    self.allowInsecureOuterTransport = allowInsecureOuterTransport
    self.transport = transport
    self.quoteVerifier = quoteVerifier
    self.releaseMirrorURL = releaseMirrorURL
    self.trustRoots = trustRoots
    self.clock = clock
    self.random = random
    self.log = log
  }
}
