import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("mero local --data: processes that are ended", .timeLimit(.minutes(5)))
struct KeptClusterCrashTests {
  @Test("killed twenty times at any moment under load, it comes back with every answered write, each once")
  func killed() async throws {
    let folder = NSTemporaryDirectory() + "merokit-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let world = World()
    var process = try await KeptToolProcess(data: folder)
    try await world.found(at: process.nodes)
    for round in 0..<20 {
      // Sometimes before the first write is answered, sometimes in the middle of many.
      await world.load(at: process.nodes, round: round, until: Int.random(in: 0...40)) {
        await process.kill()
      }
      process = try await KeptToolProcess(data: folder)
      try await world.check(at: process.nodes)
    }
    await process.kill()
    #expect(world.answered > 20)
    #expect(world.repeated > 0)
  }

  /// One account with several devices that write to one app, and what they were answered.
  private final class World: Sendable {
    private struct State {
      var app = ""
      /// The position of the app after each call that was answered, by key, which is its text as well.
      var calls: [String: UInt64] = [:]
      /// Organizations by name, of those that were answered.
      var orgs: [String: String] = [:]
      var unanswered: Set<String> = []
      var answered = 0
      var repeated = 0
      var writing = 0
    }

    private static let writers = 4
    private let passkey = SoftPasskey()
    private let stores = (0..<World.writers).map { _ in MemorySessionStore() }
    private let state = Locked(State())

    var answered: Int { state.withLock { $0.answered } }
    /// Calls that were not answered and were repeated.
    var repeated: Int { state.withLock { $0.repeated } }

    private func client(_ writer: Int, at nodes: [String], retry: RetryPolicy = .standard) -> CalimeroClient {
      CalimeroClient(
        CalimeroClientOptions(
          baseUrl: nodes[writer % nodes.count], nodes: nodes, policy: .development,
          sessionStore: stores[writer],
          retry: retry))
    }

    func found(at nodes: [String]) async throws {
      for writer in 0..<Self.writers {
        let client = client(writer, at: nodes)
        if writer == 0 {
          try await client.signUp(passkey, name: "ada")
          let org = try await client.orgs.create(name: "first").orgId
          let app = try await client.apps.create(name: "chat", package: "com.calimero.chat", org: org).appId
          state.withLock { state in
            state.app = app
            state.orgs["first"] = org
          }
        } else {
          try await client.signIn(passkey, name: "ada")
        }
        await client.close()
      }
    }

    /// Writes from all devices until so many writes were answered, then has the process ended in the middle.
    func load(at nodes: [String], round: Int, until count: Int, _ kill: () async -> Void) async {
      let target = answered + count
      state.withLock { $0.writing = Self.writers }
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<Self.writers {
          group.addTask { await self.write(writer, at: nodes, round: round) }
        }
        while answered < target, state.withLock({ $0.writing }) > 0 {
          try? await Task.sleep(nanoseconds: 1_000_000)
        }
        await kill()
        group.cancelAll()
      }
    }

    private func write(_ writer: Int, at nodes: [String], round: Int) async {
      defer { state.withLock { $0.writing -= 1 } }
      let client = client(writer, at: nodes, retry: .none)
      let app = state.withLock { $0.app }
      var number = 0
      while !Task.isCancelled {
        number += 1
        let key = "round\(round)-writer\(writer)-\(number)"
        do {
          if number % 8 == 0 {
            let org = try await client.orgs.create(name: key, idempotencyKey: key).orgId
            state.withLock { state in
              state.orgs[key] = org
              state.answered += 1
            }
          } else {
            let outcome = try await client.callOutcome(
              app, "send_message", ["message": .string(key)], options: CallOptions(idempotencyKey: key))
            state.withLock { state in
              state.calls[key] = outcome.seq
              state.answered += 1
            }
          }
        } catch {
          if number % 8 != 0 { state.withLock { _ = $0.unanswered.insert(key) } }
          break
        }
      }
      await client.close()
    }

    func check(at nodes: [String]) async throws {
      let client = client(0, at: nodes)
      let (app, calls, orgs, unanswered) = state.withLock { ($0.app, $0.calls, $0.orgs, $0.unanswered) }
      let texts = try await messages(client, app)
      #expect(Set(texts).count == texts.count, "a call was applied twice")
      // The n-th call that was applied is the n-th message and took the app to position n.
      for (key, seq) in calls {
        let place = Int(seq) - 1
        #expect(texts.indices.contains(place) && texts[place] == key, "\(key) was answered and is not there")
      }
      #expect(Set(texts).subtracting(calls.keys).isSubset(of: unanswered))
      #expect(try await events(client, app) == texts, "the events are not those of the messages")
      let listed = try await all(client)
      for (name, id) in orgs { #expect(listed[name] == [id], "\(name) was answered") }
      for (name, ids) in listed { #expect(ids.count == 1, "\(name) was made twice") }

      // Whether it had run or not, repeating a call leaves it there once.
      for key in unanswered.sorted() {
        let outcome = try await client.callOutcome(
          app, "send_message", ["message": .string(key)], options: CallOptions(idempotencyKey: key))
        #expect(outcome.replayed == texts.contains(key), "\(key)")
        state.withLock { state in
          state.unanswered.remove(key)
          state.calls[key] = outcome.seq
          state.repeated += 1
        }
      }
      if let (key, seq) = calls.randomElement() {
        let outcome = try await client.callOutcome(
          app, "send_message", ["message": .string(key)], options: CallOptions(idempotencyKey: key))
        #expect(outcome.replayed && outcome.seq == seq, "the kept answer of \(key)")
      }
      await client.close()
    }

    private func messages(_ client: CalimeroClient, _ app: String) async throws -> [String] {
      let view = try await client.view(app, "get_messages")
      return (view["messages"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
    }

    private func events(_ client: CalimeroClient, _ app: String) async throws -> [String] {
      var texts: [String] = []
      var cursor = "oldest"
      while true {
        let answer: JSONValue = try await client.get(
          "/apps/\(app)/events", query: ["cursor": cursor, "limit": "500"])
        let events = answer["events"]?.arrayValue ?? []
        texts += events.compactMap { $0["data"]?["text"]?.stringValue }
        guard answer["more"] == true, let next = answer["cursor"]?.stringValue else { return texts }
        cursor = next
      }
    }

    private func all(_ client: CalimeroClient) async throws -> [String: [String]] {
      var found: [String: [String]] = [:]
      for try await org in client.orgs.all() { found[org.name, default: []].append(org.orgId) }
      return found
    }
  }
}
