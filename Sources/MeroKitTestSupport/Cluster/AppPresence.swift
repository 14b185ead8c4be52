import MeroWire

/// Who is present in an app: one entry for each session that said so, for seven seconds after it last did (70 §2.17).
///
/// It is never stored, has no position in the app's order and no node lags behind with it.
struct AppPresence {
  /// An account that is signed in twice is present twice.
  struct Key: Hashable, Comparable {
    let account: String
    let session: String

    static func < (left: Key, right: Key) -> Bool {
      (left.account, left.session) < (right.account, right.session)
    }
  }

  private struct Entry {
    let name: String
    /// Outlives the state, so that a late request cannot undo a newer one.
    var version: UInt64
    /// `nil` when the session is not present.
    var state: JSONValue?
    var heardAt: Int64
  }

  static let lifetime: Int64 = 7000
  /// How long the version of a session that left is remembered: longer than a request is under way.
  static let memory: Int64 = 10 * 60_000
  static let stateLimit = 16_384

  private var entries: [Key: Entry] = [:]

  /// When the next entry is over unless it is renewed.
  var nextExpiry: Int64? {
    entries.values.filter { $0.state != nil }.map(\.heardAt).min().map { $0 + Self.lifetime }
  }

  /// Takes over what a session says of itself, `nil` when it leaves. Answers the entry to tell others of, or `nil` when
  /// nothing changed: the request was late, or whoever left was not there.
  mutating func set(
    _ key: Key, name: String, state: JSONValue?, version: UInt64, at now: Int64
  ) -> JSONValue? {
    forget(at: now)
    let old = entries[key]
    if let old, version <= old.version { return nil }
    entries[key] = Entry(name: name, version: version, state: state, heardAt: now)
    return old?.state == nil && state == nil ? nil : entry(key, at: now)
  }

  /// Takes away the entries for which this holds. Answers what to tell others.
  mutating func remove(where isMeant: (Key) -> Bool) -> [(key: Key, entry: JSONValue)] {
    take { key, _ in isMeant(key) }
  }

  /// Takes away the entries that were not renewed. Answers what to tell others.
  mutating func expire(at now: Int64) -> [(key: Key, entry: JSONValue)] {
    forget(at: now)
    return take { $1.heardAt + Self.lifetime <= now }
  }

  /// Everyone present, by account, then session.
  func list(at now: Int64) -> JSONValue {
    let present = entries.filter { $0.value.state != nil && now < $0.value.heardAt + Self.lifetime }
    return [
      "entries": .array(present.keys.sorted().compactMap { entry($0, at: now) }),
      "ttlMs": JSONValue(Self.lifetime),
    ]
  }

  /// Drops sessions that left long ago.
  private mutating func forget(at now: Int64) {
    for (key, entry) in entries where entry.state == nil && entry.heardAt + Self.memory <= now {
      entries[key] = nil
    }
  }

  private mutating func take(_ isMeant: (Key, Entry) -> Bool) -> [(key: Key, entry: JSONValue)] {
    let gone = entries.filter { $0.value.state != nil && isMeant($0.key, $0.value) }.keys.sorted()
    return gone.compactMap { key in
      entries[key]?.state = nil
      return entry(key, at: entries[key]?.heardAt ?? 0).map { (key, $0) }
    }
  }

  private func entry(_ key: Key, at now: Int64) -> JSONValue? {
    guard let entry = entries[key] else { return nil }
    var json: JSONObject = [
      "accountId": .string(key.account), "sessionId": .string(key.session), "name": .string(entry.name),
      "state": entry.state ?? .null, "ageMs": JSONValue(max(0, now - entry.heardAt)),
    ]
    if entry.state == nil { json["removed"] = true }
    return .object(json)
  }
}
