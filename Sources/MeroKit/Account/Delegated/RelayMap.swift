import Foundation
import MeroWire

/// Which relay serves which namespace and which context of an account (40 §6.4).
public struct RelayMap: Sendable, Hashable {
  /// Relay by namespace id.
  public var namespaces: [String: String]
  /// Relay by context id.
  public var contexts: [String: String]

  /// A map of these entries.
  public init(namespaces: [String: String] = [:], contexts: [String: String] = [:]) {
    self.namespaces = namespaces
    self.contexts = contexts
  }

  /// Reads what was stored; anything else reads as nothing.
  init(stored text: String?) {
    let json = text.flatMap { try? JSONValue(parsing: $0) }
    self.init(namespaces: Self.texts(json?["namespaces"]), contexts: Self.texts(json?["contexts"]))
  }

  var stored: String {
    let json: JSONValue = ["contexts": Self.object(contexts), "namespaces": Self.object(namespaces)]
    return json.text
  }

  // MARK: Limits

  /// How much of what a relay lists is remembered. What is left out costs asking it again.
  static let listingLimit = 1000
  /// How many bytes a map may take: it shares a file with others, whose size is bounded.
  static let sizeLimit = 1 << 18
  /// An id of 32 bytes in hex, or in an older node's base58.
  private static let longestId = 64

  /// Takes over what a relay says it serves. More than the limit is left out, and what it lists no more gives way.
  mutating func take(contexts listed: [String], of relay: String) {
    let taken = Set(listed.filter { $0.utf8.count <= Self.longestId }.prefix(Self.listingLimit))
    for id in taken { contexts[id] = relay }
    let older = contexts.filter { $0.value == relay && !taken.contains($0.key) }.keys.sorted()
    for id in older.dropFirst(Self.listingLimit - taken.count) { contexts[id] = nil }
  }

  /// Takes over the namespaces that a relay says it serves and that no relay is remembered for.
  mutating func take(namespaces listed: [String], of relay: String) {
    var left = Self.listingLimit - namespaces.values.filter { $0 == relay }.count
    for id in listed where namespaces[id] == nil && id.utf8.count <= Self.longestId && left > 0 {
      namespaces[id] = relay
      left -= 1
    }
  }

  /// Makes the map small enough to be kept. Contexts go before namespaces, without which there is no way back to a relay, and
  /// those of the relay with the most go first.
  mutating func fit() {
    func size(_ entry: (key: String, value: String)) -> Int {
      entry.key.utf8.count + entry.value.utf8.count + 12
    }
    var total = namespaces.reduce(0) { $0 + size($1) } + contexts.reduce(0) { $0 + size($1) }
    guard total > Self.sizeLimit else { return }
    let byRelay = Dictionary(grouping: contexts) { $0.value }
    for (_, entries) in byRelay.sorted(by: { ($0.value.count, $0.key) > ($1.value.count, $1.key) }) {
      for entry in entries.sorted(by: { $0.key > $1.key }) where total > Self.sizeLimit {
        contexts[entry.key] = nil
        total -= size(entry)
      }
    }
  }

  static func texts(_ value: JSONValue?) -> [String: String] {
    guard let object = value?.objectValue else { return [:] }
    return Dictionary(object.compactMap { key, value in value.stringValue.map { (key, $0) } }) { $1 }
  }

  static func object(_ texts: [String: String]) -> JSONValue {
    .object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
  }
}

extension DelegatedAccounts {
  /// Remembers which relay serves a namespace, a context, or both.
  public static func rememberRelay(
    _ account: String, relayURL: String, namespaceId: String? = nil, contextId: String? = nil,
    store: DelegatedAccountStore
  ) {
    let relay = RelayOrigin.of(relayURL)
    changeRelayMap(account, store) { map in
      if let namespaceId { map.namespaces[namespaceId.lowercased()] = relay }
      if let contextId { map.contexts[contextId] = relay }
    }
  }

  /// What is known of an account's relays.
  public static func readRelayMap(_ account: String, store: DelegatedAccountStore) -> RelayMap {
    RelayMap(stored: store.text(Keys.relays(account)))
  }

  /// The relay that serves a context, if it is known.
  public static func relayForContext(
    _ account: String, contextId: String, store: DelegatedAccountStore
  ) -> String? {
    readRelayMap(account, store: store).contexts[contextId]
  }

  /// Every relay an account knows of: the session's first, then those of namespaces, then those of contexts.
  public static func knownRelays(_ session: DelegatedSession, store: DelegatedAccountStore) -> [String] {
    let map = readRelayMap(session.account, store: store)
    let all =
      [session.relayUrl].compactMap { $0 } + map.namespaces.sorted { $0.key < $1.key }.map(\.value)
      + map.contexts.sorted { $0.key < $1.key }.map(\.value)
    var seen: Set<String> = []
    return all.map(RelayOrigin.of).filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Remembers which namespace a group belongs to.
  public static func rememberGroupNamespace(
    _ account: String, groupId: String, namespaceId: String, store: DelegatedAccountStore
  ) {
    store.change(Keys.groups(account)) { text in
      var groups = RelayMap.texts(text.flatMap { try? JSONValue(parsing: $0) })
      guard groups.updateValue(namespaceId.lowercased(), forKey: groupId.lowercased()) != namespaceId else {
        return nil
      }
      return RelayMap.object(groups).text
    }
  }

  /// The namespace a group belongs to, if it is known; a namespace belongs to itself.
  public static func namespaceOfGroup(
    _ session: DelegatedSession, groupId: String, store: DelegatedAccountStore
  ) -> String? {
    let group = groupId.lowercased()
    if readRelayMap(session.account, store: store).namespaces[group] != nil { return group }
    let text = store.text(Keys.groups(session.account))
    return RelayMap.texts(text.flatMap { try? JSONValue(parsing: $0) })[group]
  }

  /// The relay that serves a namespace: the one that is remembered, or the session's.
  static func relay(
    for session: DelegatedSession, namespaceId: String, call: String, store: DelegatedAccountStore
  ) throws(AccountError) -> String {
    let known = readRelayMap(session.account, store: store).namespaces[namespaceId.lowercased()]
    guard let relay = known ?? session.relayUrl else { throw .noRelay(call) }
    return RelayOrigin.of(relay)
  }

  static func changeRelayMap(
    _ account: String, _ store: DelegatedAccountStore, _ body: (inout RelayMap) -> Void
  ) {
    store.change(Keys.relays(account)) { text in
      var map = RelayMap(stored: text)
      let before = map
      body(&map)
      map.fit()
      return map == before ? nil : map.stored
    }
  }

  /// The names that records of accounts are kept under.
  enum Keys {
    static func relays(_ account: String) -> String { "calimero.delegated.relays.\(account.lowercased())" }
    static func groups(_ account: String) -> String {
      "calimero.delegated.group-namespace.\(account.lowercased())"
    }
    static func nodeKey(_ relayURL: String) -> String {
      "calimero.delegated.relay-node-key.\(RelayOrigin.of(relayURL))"
    }
    static func executors(_ relayURL: String) -> String {
      "calimero.delegated.relay-executors.\(RelayOrigin.of(relayURL))"
    }
  }
}
