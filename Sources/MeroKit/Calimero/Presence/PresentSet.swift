import Foundation
import MeroAPI
import MeroWire

/// Who is present in an app, as its event stream tells (70 §2.17). Pure: events and times come in.
///
/// An entry that was not renewed for as long as it lives is dropped even when no removal comes, so a set that nobody
/// tells of any more, because the connection is lost, empties itself.
struct PresentSet: Sendable {
  /// An account that is signed in twice is present twice.
  private struct Key: Hashable, Comparable {
    let accountId: String
    let sessionId: String

    static func < (left: Key, right: Key) -> Bool {
      (left.accountId, left.sessionId) < (right.accountId, right.sessionId)
    }
  }

  struct Entry: Sendable, Hashable {
    let accountId: String
    let sessionId: String
    let name: String?
    let state: JSONValue
    /// On the monotonic clock.
    let heardAt: TimeInterval

    fileprivate func isSame(as other: Entry?) -> Bool {
      guard let other else { return false }
      return name == other.name && state == other.state
    }
  }

  /// Whether a node has said who is present.
  private(set) var isKnown = false
  private var entries: [Key: Entry] = [:]
  private var lifetime: TimeInterval = 7

  /// Takes an event over; others than those of presence change nothing.
  ///
  /// - Returns: whether who is present, or what they say, is different now.
  /// - Throws: when the event is not what its kind says.
  mutating func receive(_ event: AppEvent, at now: TimeInterval) throws -> Bool {
    switch event.kind {
    case "calimero.presence.all":
      let all = try event.data.decode(Components.Schemas.PresenceList.self)
      return replace(all, at: now)
    case "calimero.presence":
      return change(try event.data.decode(Components.Schemas.PresenceEntry.self), at: now)
    default: return false
    }
  }

  private mutating func replace(_ all: Components.Schemas.PresenceList, at now: TimeInterval) -> Bool {
    if all.ttlMs > 0 { lifetime = Double(all.ttlMs) / 1000 }
    let old = entries
    entries = [:]
    for entry in all.entries { put(entry, at: now) }
    let isSame = isKnown && old.keys == entries.keys && entries.allSatisfy { $1.isSame(as: old[$0]) }
    isKnown = true
    return !isSame
  }

  private mutating func change(_ entry: Components.Schemas.PresenceEntry, at now: TimeInterval) -> Bool {
    let key = Key(accountId: entry.accountId, sessionId: entry.sessionId)
    let old = entries[key]
    if entry.removed == true {
      entries[key] = nil
      return old != nil
    }
    put(entry, at: now)
    guard let new = entries[key] else { return old != nil }
    return !new.isSame(as: old)
  }

  private mutating func put(_ entry: Components.Schemas.PresenceEntry, at now: TimeInterval) {
    let key = Key(accountId: entry.accountId, sessionId: entry.sessionId)
    let heardAt = now - max(0, Double(entry.ageMs)) / 1000
    entries[key] =
      heardAt + lifetime <= now
      ? nil
      : Entry(
        accountId: entry.accountId, sessionId: entry.sessionId, name: entry.name, state: entry.state,
        heardAt: heardAt)
  }

  /// Drops who was not heard from.
  ///
  /// - Returns: whether somebody went.
  mutating func age(at now: TimeInterval) -> Bool {
    let count = entries.count
    entries = entries.filter { now < $0.value.heardAt + lifetime }
    return entries.count != count
  }

  /// When somebody goes next who is not heard from.
  var nextEnd: TimeInterval? { entries.values.map(\.heardAt).min().map { $0 + lifetime } }

  /// Nobody is known to be present.
  mutating func forget() {
    entries = [:]
    isKnown = false
  }

  /// Everyone present, by account, then session.
  var all: [Entry] { entries.sorted { $0.key < $1.key }.map(\.value) }
}
