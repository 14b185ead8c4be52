import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("Frames of a node's event stream")
struct SseFrameTests {
  /// What a stream of these chunks says.
  static func frames(_ chunks: [Data]) throws -> [SseFrame] {
    var parser = SSEParser(maxEventBytes: SseFrame.limit)
    var frames: [SseFrame] = []
    for chunk in chunks {
      try parser.feed(chunk, frames: { if let frame = SseFrame($0.data) { frames.append(frame) } })
    }
    return frames
  }

  private struct Typing: Codable, Sendable, Hashable { let typing: Bool }

  @Test("the vectors' streams say what the vectors expect", arguments: NodeVectors.group("sse"))
  func vectors(vector: NodeVector) throws {
    let raw = Data((vector.json["raw"]?.stringValue ?? "").utf8)
    let cut = vector.json["splitAtBytes"]?[0]?.int ?? raw.count
    let frames = try Self.frames([raw.prefix(cut), raw.dropFirst(cut)])
    let expected = vector.expect.arrayValue ?? []
    let presences = expected.compactMap { $0["presence"] }
    #expect(frames.count == expected.count - presences.count)
    for (frame, expected) in zip(frames, expected.filter { $0["presence"] == nil }) {
      switch frame {
      case .connect(let session): #expect(session == expected["connect"]?["sessionId"]?.stringValue)
      case .close(let reason): #expect(reason == expected["close"]?["reason"]?.stringValue)
      case .event(let event): check(event, try #require(expected["event"]))
      }
    }
    let entries = frames.compactMap { frame -> EphemeralEntry<Typing>? in
      guard case .event(let event) = frame else { return nil }
      return EphemeralEntry(event, codec: JSONCodec<Typing>())
    }
    #expect(
      entries
        == presences.map {
          EphemeralEntry(
            author: $0["author"]?.stringValue ?? "", account: $0["account"]?.stringValue,
            state: $0["state"]?["typing"]?.boolValue.map(Typing.init),
            removed: $0["removed"]?.boolValue ?? false,
            ageMs: $0["ageMs"]?.int)
        })
  }

  @Test("the group of vectors is there") func present() {
    #expect(NodeVectors.group("sse").count == 21)
  }

  private func check(_ event: ContextEvent, _ expected: JSONValue) {
    #expect(event.kind.rawValue == expected["kind"]?.stringValue)
    #expect(event.contextId == expected["contextId"]?.stringValue)
    #expect(event.groupId == expected["groupId"]?.stringValue)
    #expect(event.isMigration == (expected["isMigration"]?.boolValue ?? false))
    guard let data = expected["data"] else { return }
    switch event.kind {
    case .stateMutation:
      #expect(event.stateMutation?.newRoot == data["newRoot"]?.stringValue)
      let events = data["events"]?.arrayValue
      #expect(event.stateMutation?.events?.count == events?.count)
      for (emitted, expected) in zip(event.stateMutation?.events ?? [], events ?? []) {
        #expect(emitted.kind == expected["kind"]?.stringValue)
        #expect(emitted.handler == expected["handler"]?.stringValue)
        #expect(emitted.data == expected["dataBytes"]?.byteArray)
        #expect(emitted.json == expected["dataAsJson"])
      }
    case .syncStatus:
      #expect(event.syncStatus?.syncState.state.rawValue == data["syncState"]?["state"]?.stringValue)
      #expect(event.syncStatus?.syncState.retryInSecs == data["syncState"]?["retryInSecs"]?.uint64)
      #expect(event.syncStatus?.failureCount == data["failureCount"]?.int)
      #expect(event.syncStatus?.lastError == data["lastError"]?.stringValue)
    case .appVersionChanged:
      #expect(event.appVersionChange == AppVersionChange(toVersion: data["toVersion"]?.stringValue))
    case .crossContextCall:
      let call = event.crossContextCall
      #expect(call?.targetContextId == data["targetContextId"]?.stringValue)
      #expect(call?.function == data["function"]?.stringValue)
      #expect(call?.status.rawValue == data["outcome"]?["status"]?.stringValue)
      #expect(call?.reason == data["outcome"]?["reason"]?.stringValue)
    case .memberJoined, .memberRemoved:
      #expect(event.memberChange?.memberAccount == data["memberAccount"]?.stringValue)
      #expect(event.memberChange?.role?.rawValue == data["role"]?.stringValue)
    case .migrationProgress:
      guard case .progress(let progress)? = event.migration else {
        return #expect(Bool(false), "no progress")
      }
      #expect(
        [progress.migrated, progress.inProgress, progress.unknown, progress.failed, progress.total]
          == ["migrated", "inProgress", "unknown", "failed", "total"].map { data[$0]?.int })
    case .cascadeProgress:
      guard case .cascade(let cascade)? = event.migration else { return #expect(Bool(false), "no cascade") }
      #expect(cascade.subgroupId == data["subgroupId"]?.stringValue)
      #expect(cascade.localContextsSwapped == data["localContextsSwapped"]?.int)
      #expect(cascade.localContextsTotal == data["localContextsTotal"]?.int)
    default: #expect(event.data == data)
    }
  }
}
