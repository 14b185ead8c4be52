import MeroWire

/// A relay that serves an account, as the cloud knows it (40 §4.1).
public struct CloudAccountRelay: Sendable, Hashable {
  /// The node's id on the network.
  public let peerId: String
  /// Its address; nil while it has none.
  public let relayUrl: String?
  /// Whether it was heard of lately.
  public let fresh: Bool
  /// Its own account, 64 hex; nil when it is unknown, or what the cloud has is none.
  public let executorAccount: String?
  /// Whether the cloud gave it to the account just now.
  public let assigned: Bool

  /// A relay of these parts.
  public init(
    peerId: String = "", relayUrl: String? = nil, fresh: Bool = false, executorAccount: String? = nil,
    assigned: Bool = false
  ) {
    self.peerId = peerId
    self.relayUrl = relayUrl
    self.fresh = fresh
    self.executorAccount = executorAccount
    self.assigned = assigned
  }

  init(_ row: JSONValue) {
    let executor = row.filled("executor_account")
    self.init(
      peerId: row.filled("peer_id") ?? "", relayUrl: row.filled("relay_url"), fresh: row.isTrue("fresh"),
      executorAccount: executor.flatMap { HexField.isId($0) ? $0 : nil }, assigned: row.isTrue("assigned"))
  }
}

/// Which relay to use, and what to tell a person about it.
public struct RelayChoice: Sendable, Hashable {
  /// The relay's address; nil when there is none to use.
  public let relayUrl: String?
  /// The relay's own account, if it is known.
  public let executorAccount: String?
  /// What is not as it should be, in words to show; nil when all is well.
  public let note: String?

  /// A choice of these parts.
  public init(relayUrl: String? = nil, executorAccount: String? = nil, note: String? = nil) {
    self.relayUrl = relayUrl
    self.executorAccount = executorAccount
    self.note = note
  }
}

extension CloudClient {
  /// Chooses among an account's relays: the first with an address that was heard of lately, else the first with an address
  /// (40 §4.3).
  public static func chooseRelay(_ relays: [CloudAccountRelay]) -> RelayChoice {
    let reachable = relays.filter { $0.relayUrl?.isEmpty == false }
    if let relay = reachable.first(where: \.fresh) {
      return RelayChoice(relayUrl: relay.relayUrl, executorAccount: relay.executorAccount)
    }
    if let relay = reachable.first {
      return RelayChoice(
        relayUrl: relay.relayUrl, executorAccount: relay.executorAccount,
        note: "Your relay has not been heard of for a while and may not answer.")
    }
    switch relays.count {
    case 0:
      return RelayChoice(note: "You are signed in. Redeem an invitation to get a relay.")
    case 1:
      return RelayChoice(note: "1 relay is assigned to you, and it has no address yet. Try again shortly.")
    case let count:
      return RelayChoice(
        note: "\(count) relays are assigned to you, and none has an address yet. Try again shortly.")
    }
  }
}
