import Foundation

/// What a client can be told while it runs, and what it remembers of what it saw.
actor ClientSettings {
  private(set) var passkey: (any PasskeyProvider)?
  private(set) var operatorSigner: (any OperatorSigner)?
  private(set) var apiKey: String?
  /// The highest position seen of each app (70 §2.7); not kept beyond the client.
  private var positions: [String: UInt64] = [:]
  /// How far the cluster's clock is ahead of this machine's, as last seen, in seconds.
  private(set) var nodeTimeOffset: TimeInterval = 0
  /// Whether a node said what time it is.
  private(set) var knowsNodeTime = false
  /// The most bytes of a file put in one request, once a node said so (70 §2.18).
  private(set) var fileLimit: UInt64?

  init(_ options: CalimeroClientOptions) {
    passkey = options.passkey
    operatorSigner = options.operatorSigner
    apiKey = options.apiKey
  }

  func use(passkey: (any PasskeyProvider)?) { self.passkey = passkey }
  func use(operatorSigner: (any OperatorSigner)?) { self.operatorSigner = operatorSigner }
  func use(apiKey: String?) { self.apiKey = apiKey }

  /// Remembers that an app was seen at a position; an older one changes nothing.
  func saw(_ app: String, at seq: UInt64) {
    positions[app] = max(seq, positions[app] ?? 0)
  }

  func position(of app: String) -> UInt64? { positions[app] }

  /// Consent flows that came to an end, or are being finished; each is good once (70 §2.14).
  private var spentConsents: Set<String> = []

  /// Answers whether the flow was open, which it is not any more.
  func spend(consent id: String) -> Bool { spentConsents.insert(id).inserted }
  /// The flow was not finished after all.
  func reopen(consent id: String) { spentConsents.remove(id) }

  func saw(fileLimit: UInt64) { self.fileLimit = fileLimit }

  /// A node said what time it is.
  func saw(nodeTime milliseconds: Int64, at now: Date) {
    nodeTimeOffset = Double(milliseconds) / 1000 - now.timeIntervalSince1970
    knowsNodeTime = true
  }
}
