import Foundation
import MeroWire

/// Who is present where: one slot for each author of each context, gone when its author was not heard from for seven
/// seconds (10 §5).
struct NodePresence: Sendable {
  struct Entry: Sendable {
    let author: String
    var account: String?
    var slice: [UInt8]
    var heardAt: Date
    /// The node publishes its own slots again by itself, so they stay.
    var isOwn: Bool
    /// A linked node publishes its own slots again as long as it is linked.
    var isLinked = false

    var isKept: Bool { isOwn || isLinked }
  }

  static let largestSlice = 16_384
  static let lifetime: TimeInterval = 7
  static let republishing: TimeInterval = 2.5
  static let mostAuthors = 512

  private(set) var slots: [String: [Entry]] = [:]

  /// Puts an author's slot in place. Answers whether that is news, and who had to make room.
  mutating func set(_ entry: Entry, in context: String) -> (isNew: Bool, evicted: String?) {
    var entries = slots[context] ?? []
    let known = entries.firstIndex { $0.author == entry.author }
    let isNew = known.map { entries[$0].slice != entry.slice || entries[$0].account != entry.account } ?? true
    if let known { entries.remove(at: known) }
    var evicted: String?
    if entries.count >= Self.mostAuthors,
      let stalest = entries.indices.min(by: { entries[$0].heardAt < entries[$1].heardAt })
    {
      evicted = entries.remove(at: stalest).author
    }
    entries.append(entry)
    slots[context] = entries
    return (isNew, evicted)
  }

  /// A node is linked no longer: what it said of itself lives on for as long as anything does.
  mutating func unlink(_ author: String, at now: Date) {
    for (context, entries) in slots {
      for (index, entry) in entries.enumerated() where entry.isLinked && entry.author == author {
        slots[context]?[index].isLinked = false
        slots[context]?[index].heardAt = now
      }
    }
  }

  /// Takes slots away and answers whose they were.
  mutating func remove(in context: String, where isGone: (Entry) -> Bool) -> [String] {
    let gone = (slots[context] ?? []).filter(isGone).map(\.author)
    guard !gone.isEmpty else { return [] }
    slots[context]?.removeAll(where: isGone)
    if slots[context]?.isEmpty == true { slots[context] = nil }
    return gone
  }

  /// When the first slot expires; nil when none ever does by itself.
  var nextExpiry: Date? {
    slots.values.joined().lazy.filter { !$0.isKept }.map { $0.heardAt.addingTimeInterval(Self.lifetime) }
      .min()
  }

  /// Milliseconds since the author was heard from.
  static func age(of entry: Entry, at now: Date) -> Int64 {
    let seconds = max(0, now.timeIntervalSince(entry.heardAt))
    return Int64((entry.isKept ? seconds.truncatingRemainder(dividingBy: republishing) : seconds) * 1000)
  }
}

extension NodeState {
  /// An author says where it is. Events go out when that is news.
  mutating func setPresence(
    in context: String, author: String, account: String?, slice: [UInt8], isOwn: Bool, isLinked: Bool = false,
    at now: Date
  ) {
    expirePresence(at: now)
    let entry = NodePresence.Entry(
      author: author, account: account, slice: slice, heardAt: now, isOwn: isOwn, isLinked: isLinked)
    if isOwn {
      publish(
        .presence(
          LinkedPresence(
            context: context, author: author, account: account, slice: slice, isOfNode: true)))
    }
    let (isNew, evicted) = presence.set(entry, in: context)
    if let evicted { send(.presenceRemoved(in: context, author: evicted), at: now) }
    if isNew { send(.presence(in: context, entry, age: nil), at: now) }
  }

  mutating func removePresence(in context: String, at now: Date, where isGone: (NodePresence.Entry) -> Bool) {
    for author in presence.remove(in: context, where: isGone) {
      send(.presenceRemoved(in: context, author: author), at: now)
    }
  }

  /// The node is no longer in the context.
  mutating func forgetOwnPresence(in context: String, at now: Date) {
    for entry in presence.slots[context] ?? [] where entry.isOwn {
      publish(
        .presence(
          LinkedPresence(
            context: context, author: entry.author, account: nil, slice: nil, isOfNode: true)))
    }
    removePresence(in: context, at: now) { $0.isOwn }
  }

  mutating func forgetPresence(in context: String, at now: Date) {
    removePresence(in: context, at: now) { _ in true }
  }

  /// Whoever was not heard from for seven seconds is gone.
  mutating func expirePresence(at now: Date) {
    for context in presence.slots.keys.sorted() {
      removePresence(in: context, at: now) {
        !$0.isKept && now.timeIntervalSince($0.heardAt) >= NodePresence.lifetime
      }
    }
  }

  /// Tells one stream who is present now, before its subscription is answered.
  mutating func replayPresence(of contexts: [String], to session: String, at now: Date) {
    expirePresence(at: now)
    guard let follower = streams[session]?.follower else { return }
    for context in contexts {
      for entry in presence.slots[context] ?? [] {
        let event = NodeEvent.presence(in: context, entry, age: NodePresence.age(of: entry, at: now))
        _ = follower.append(.event(event.json.data()), limit: streams.queueLimit)
      }
    }
    afterwards { follower.wake() }
  }
}
