import Foundation
import MeroCrypto
import MeroWire

/// Where an event stands in its app's order.
struct EventPlace: Comparable, Hashable, Sendable {
  var seq: UInt64
  var index: Int

  static let beginning = EventPlace(seq: 0, index: 0)

  static func < (left: EventPlace, right: EventPlace) -> Bool {
    (left.seq, left.index) < (right.seq, right.index)
  }
}

/// An event as it is kept, with its frame written once for all who follow.
struct StoredEvent: Sendable {
  let place: EventPlace
  let change: UInt64
  let kind: String
  let at: Int64
  let json: JSONValue
  let frame: Data
}

/// An app's events, as far back as they are kept, and the cursors that name places among them.
final class EventLog {
  /// How long events are kept, in milliseconds.
  static let retention: Int64 = 7 * 86_400_000
  /// How many milliseconds more an event may stay that nobody reads, so that not each new one makes room anew.
  private static let slack: Int64 = 3_600_000

  private let appId: String
  /// Part of every cursor of this app, so that another app's cursor is found out.
  private let tag: String
  private(set) var events: [StoredEvent] = []
  /// The newest place that is no longer kept: the oldest cursor one may still go on from.
  private(set) var forgotten = EventPlace.beginning
  private(set) var last = EventPlace.beginning
  /// How many events are no longer kept.
  private(set) var dropped = 0
  /// Called when there are more events or fewer.
  var changed: () -> Void = {}

  init(appId: String, secret: [UInt8]) {
    self.appId = appId
    tag = Hex.encode(HMACSHA256.authenticate(Array(appId.utf8), key: secret).prefix(4))
  }

  /// Enters an event that happened now, and drops those that are over. Answers it as it is sent.
  @discardableResult
  func append(
    seq: UInt64, index: Int, change: UInt64, kind: String, data: JSONValue, actor: String?, at: Int64
  ) -> StoredEvent {
    let event = enter(seq: seq, index: index, change: change, kind: kind, data: data, actor: actor, at: at)
    if let first = events.first, first.at < at - Self.retention - Self.slack {
      forget(before: at - Self.retention)
    }
    return event
  }

  /// Enters an event, of whatever time.
  @discardableResult
  func enter(
    seq: UInt64, index: Int, change: UInt64, kind: String, data: JSONValue, actor: String?, at: Int64
  ) -> StoredEvent {
    let place = EventPlace(seq: seq, index: index)
    let json = json(place, kind: kind, data: data, actor: actor, at: at)
    let event = StoredEvent(
      place: place, change: change, kind: kind, at: at, json: json,
      frame: frame(cursor: cursor(at: place), kind: kind, json: json))
    events.append(event)
    last = place
    changed()
    return event
  }

  /// Where an event of the node's own goes: after what the app's change at `seq` emitted.
  func placeAfter(_ seq: UInt64) -> EventPlace {
    EventPlace(seq: seq, index: last.seq == seq ? last.index + 1 : 0)
  }

  /// Drops events from before `time`.
  func forget(before time: Int64) {
    guard let first = events.first, first.at < time else { return }
    drop(events.firstIndex { $0.at >= time } ?? events.count)
  }

  /// Drops all but the newest `count` events.
  func forget(keeping count: Int) {
    let surplus = events.count - max(0, count)
    if surplus > 0 { drop(surplus) }
  }

  private func drop(_ count: Int) {
    forgotten = events[count - 1].place
    events.removeFirst(count)
    dropped += count
    changed()
  }

  /// Takes over the places of a log whose events were entered again.
  func takePlaces(forgotten: EventPlace, last: EventPlace, dropped: Int) {
    self.forgotten = forgotten
    self.last = last
    self.dropped = dropped
  }

  /// The events after a place, oldest first.
  func events(after place: EventPlace) -> ArraySlice<StoredEvent> {
    var low = 0
    var high = events.count
    while low < high {
      let middle = (low + high) / 2
      if events[middle].place <= place { low = middle + 1 } else { high = middle }
    }
    return events[low...]
  }

  func cursor(at place: EventPlace) -> String {
    "c1.\(place.seq).\(place.index).\(tag)"
  }

  /// The place a cursor names. Throws `INVALID_CURSOR` and `CURSOR_EXPIRED`.
  func place(of cursor: String) throws(Refusal) -> EventPlace {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "c1", parts[3] == tag, let seq = UInt64(parts[1]),
      let index = Int(parts[2]), index >= 0
    else { throw .invalidCursor }
    let place = EventPlace(seq: seq, index: index)
    guard place <= last else { throw .invalidCursor }
    guard place >= forgotten else {
      throw Refusal(
        410, "CURSOR_EXPIRED", "events after this cursor are no longer kept",
        details: [
          "oldest": .string(self.cursor(at: forgotten)), "latest": .string(self.cursor(at: last)),
        ])
    }
    return place
  }

  /// The frame of an event of the node that is not kept.
  func passing(_ kind: String, at place: EventPlace, time: Int64, data: JSONValue) -> Data {
    let json = json(place, kind: kind, data: data, actor: nil, at: time)
    return frame(cursor: cursor(at: place), kind: kind, json: json)
  }

  private func json(
    _ place: EventPlace, kind: String, data: JSONValue, actor: String?, at: Int64
  ) -> JSONValue {
    var json: JSONObject = [
      "cursor": .string(cursor(at: place)), "seq": JSONValue(place.seq), "index": JSONValue(place.index),
      "kind": .string(kind), "appId": .string(appId), "at": JSONValue(at),
    ]
    json["actor"] = actor.map { .string($0) }
    json["data"] = data
    return .object(json)
  }

  private func frame(cursor: String, kind: String, json: JSONValue) -> Data {
    var frame = Data("id: \(cursor)\nevent: \(kind)\ndata: ".utf8)
    frame.append(json.data())
    frame.append(contentsOf: [0x0A, 0x0A])
    return frame
  }
}
