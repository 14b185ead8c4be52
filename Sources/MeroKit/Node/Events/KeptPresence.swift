import Foundation
import MeroWire

/// The last presence of every author, as long as the connection it came over lasts (10 §4.5).
///
/// Nothing is dropped for its age: a peer that sends the same again causes no event, so an old entry can be alive. Only a
/// removal, a new connection or the end of the subscription ends it.
struct KeptPresence: Sendable {
  /// As many authors as a node keeps, and as large a state as it takes.
  static let authorLimit = 512
  static let stateLimit = 16_384

  fileprivate struct Entry: Sendable {
    let event: ContextEvent
    let arrivedAt: TimeInterval
    let order: Int
  }

  private var contexts: [String: [String: Entry]] = [:]
  private var arrivals = 0

  /// Takes a presence event over; others do nothing.
  mutating func note(_ event: ContextEvent, at now: TimeInterval) {
    guard let author = event.presenceAuthor else { return }
    guard event.data["removed"]?.boolValue != true else {
      contexts[event.contextId]?[author] = nil
      return
    }
    guard let state = event.data["state"]?.arrayValue, state.count <= Self.stateLimit else { return }
    arrivals += 1
    var entries = contexts.removeValue(forKey: event.contextId) ?? [:]
    entries[author] = Entry(event: event, arrivedAt: now, order: arrivals)
    if entries.count > Self.authorLimit, let stalest = entries.min(by: { $0.value.order < $1.value.order }) {
      entries[stalest.key] = nil
    }
    contexts[event.contextId] = entries
  }

  mutating func forget(_ contextId: String) { contexts[contextId] = nil }

  mutating func forgetAll() { contexts = [:] }

  /// The events of a context that still hold, in the order they came, each as old as it is now.
  func seed(_ contextId: String, at now: TimeInterval) -> [ContextEvent] {
    (contexts[contextId] ?? [:]).values.sorted { $0.order < $1.order }.map { $0.event(at: now) }
  }
}

extension KeptPresence.Entry {
  fileprivate func event(at now: TimeInterval) -> ContextEvent {
    guard var payload = event.payload.objectValue, var data = payload["data"]?.objectValue else {
      return event
    }
    // A tenth of a microsecond is rounding: a second that has passed must not read as 999 ms.
    let passed = Int(min(max(0, (now - arrivedAt) * 1000 + 0.000_1), 1e15))
    let received = min(max(0, data["ageMs"]?.int ?? 0), 1 << 50)
    data["ageMs"] = JSONValue(received + passed)
    payload["data"] = .object(data)
    return ContextEvent(
      contextId: event.contextId, kind: event.kind, payload: .object(payload), groupId: event.groupId)
  }
}
