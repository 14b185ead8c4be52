import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("mero local --data: processes that are ended", .timeLimit(.minutes(5)))
struct KeptClusterCrashTests {
  /// MERO_CRASH_SEED repeats what a run that failed did, as far as processes can be made to.
  private static let seed: UInt64 =
    ProcessInfo.processInfo.environment["MERO_CRASH_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)

  @Test(
    "killed twenty times at any moment under load, it comes back with every answered write, each once: calls, organizations, files, invitations"
  )
  func killed() async throws {
    let folder = NSTemporaryDirectory() + "merokit-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = SeededRandom(seed: Self.seed)
    let world = World(random)
    var process = try await KeptToolProcess(data: folder)
    try await world.found(at: process.nodes)
    for round in 0..<20 {
      let note = Comment(rawValue: "round \(round) of MERO_CRASH_SEED=\(Self.seed)")
      do {
        // Sometimes before the first write is answered, sometimes in the middle of many.
        await world.load(at: process.nodes, round: round, until: Int(random.unit() * 41)) {
          await process.kill()
        }
        process = try await KeptToolProcess(data: folder)
        try await world.check(at: process.nodes, note)
      } catch {
        Issue.record(error, note)
        break
      }
    }
    await process.kill()
    let note = Comment(rawValue: "MERO_CRASH_SEED=\(Self.seed)")
    #expect(world.answered.count > 20, note)
    #expect(world.answered.kinds == Set(Write.allCases), note)
    #expect(world.repeated > 0, note)
  }

  /// What is written, at random: calls most of the time.
  private enum Write: CaseIterable {
    case call, org, file, invitation

    init(_ random: SeededRandom) {
      switch random.unit() {
      case ..<0.1: self = .org
      case ..<0.25: self = .file
      case ..<0.35: self = .invitation
      default: self = .call
      }
    }
  }

  /// One account with several devices that write to one app, and what they were answered.
  private final class World: Sendable {
    private struct State {
      var app = ""
      /// The position of the app after each call that was answered, by key, which is its text as well.
      var calls: [String: UInt64] = [:]
      /// Organizations by name, of those that were answered.
      var orgs: [String: String] = [:]
      /// The bytes of each file that was answered, by its id; those that nobody read since.
      var files: [String: Data] = [:]
      var unread: Set<String> = []
      /// The codes of invitations that were answered, by their ids.
      var invitations: [String: String] = [:]
      var unseen: Set<String> = []
      var unanswered: Set<String> = []
      var answered: (count: Int, kinds: Set<Write>) = (0, [])
      var repeated = 0
      var writing = 0
    }

    private static let writers = 4
    private let passkey = SoftPasskey()
    private let stores = (0..<World.writers).map { _ in MemorySessionStore() }
    private let state = Locked(State())
    private let random: SeededRandom

    init(_ random: SeededRandom) { self.random = random }

    var answered: (count: Int, kinds: Set<Write>) { state.withLock { $0.answered } }
    /// Calls that were not answered and were repeated.
    var repeated: Int { state.withLock { $0.repeated } }

    private func client(_ writer: Int, at nodes: [String], retry: RetryPolicy = .standard) -> CalimeroClient {
      var options = CalimeroClientOptions(
        baseUrl: nodes[writer % nodes.count], nodes: nodes, policy: .development,
        sessionStore: stores[writer],
        retry: retry)
      options.passkey = passkey
      return CalimeroClient(options)
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
      let target = answered.count + count
      state.withLock { $0.writing = Self.writers }
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<Self.writers {
          group.addTask { await self.write(writer, at: nodes, round: round) }
        }
        while answered.count < target, state.withLock({ $0.writing }) > 0 {
          try? await Task.sleep(nanoseconds: 1_000_000)
        }
        await kill()
        group.cancelAll()
      }
    }

    private func write(_ writer: Int, at nodes: [String], round: Int) async {
      defer { state.withLock { $0.writing -= 1 } }
      let client = client(writer, at: nodes, retry: .none)
      var number = 0
      while !Task.isCancelled {
        number += 1
        let key = "round\(round)-writer\(writer)-\(number)"
        let kind = Write(random)
        do {
          try await write(kind, key, client)
          state.withLock { state in
            state.answered.count += 1
            state.answered.kinds.insert(kind)
          }
        } catch {
          if kind == .call { state.withLock { _ = $0.unanswered.insert(key) } }
          break
        }
      }
      await client.close()
    }

    private func write(_ kind: Write, _ key: String, _ client: CalimeroClient) async throws {
      let (app, first) = state.withLock { ($0.app, $0.orgs["first"] ?? "") }
      switch kind {
      case .call:
        let outcome = try await client.callOutcome(
          app, "send_message", ["message": .string(key)], options: CallOptions(idempotencyKey: key))
        state.withLock { $0.calls[key] = outcome.seq }
      case .org:
        let org = try await client.orgs.create(name: key, idempotencyKey: key).orgId
        state.withLock { $0.orgs[key] = org }
      case .file:
        let bytes = Data(key.utf8) + Data(random.bytes(Int(random.unit() * 50_000)))
        let id = try await client.blobs(app).put(bytes, name: key).blobId
        state.withLock { state in
          state.files[id] = bytes
          state.unread.insert(id)
        }
      case .invitation:
        let made = try await client.orgs.inviteCreate(org: first, role: .member, label: key)
        state.withLock { state in
          state.invitations[made.invite.inviteId] = made.code
          state.unseen.insert(made.invite.inviteId)
        }
      }
    }

    func check(at nodes: [String], _ note: Comment) async throws {
      let client = client(0, at: nodes)
      let (app, calls, orgs, unanswered) = state.withLock { ($0.app, $0.calls, $0.orgs, $0.unanswered) }
      try await checkFiles(client, note)
      try await checkInvitations(client, note)
      let texts = try await messages(client, app)
      #expect(Set(texts).count == texts.count, "a call was applied twice, \(note)")
      // The n-th call that was applied is the n-th message and took the app to position n.
      for (key, seq) in calls {
        let place = Int(seq) - 1
        #expect(
          texts.indices.contains(place) && texts[place] == key,
          "\(key) was answered and is not there, \(note)")
      }
      #expect(Set(texts).subtracting(calls.keys).isSubset(of: unanswered), note)
      #expect(try await events(client, app) == texts, "the events are not those of the messages, \(note)")
      let listed = try await all(client)
      for (name, id) in orgs { #expect(listed[name] == [id], "\(name) was answered, \(note)") }
      for (name, ids) in listed { #expect(ids.count == 1, "\(name) was made twice, \(note)") }

      // Whether it had run or not, repeating a call leaves it there once.
      for key in unanswered.sorted() {
        let outcome = try await client.callOutcome(
          app, "send_message", ["message": .string(key)], options: CallOptions(idempotencyKey: key))
        #expect(outcome.replayed == texts.contains(key), "\(key), \(note)")
        state.withLock { state in
          state.unanswered.remove(key)
          state.calls[key] = outcome.seq
          state.repeated += 1
        }
      }
      let answers = calls.sorted { $0.key < $1.key }
      if !answers.isEmpty {
        let (key, seq) = answers[Int(random.unit() * Double(answers.count))]
        let outcome = try await client.callOutcome(
          app, "send_message", ["message": .string(key)], options: CallOptions(idempotencyKey: key))
        #expect(outcome.replayed && outcome.seq == seq, "the kept answer of \(key), \(note)")
      }
      await client.close()
    }

    /// Every file that was answered is listed, and those of this round hold what they held.
    private func checkFiles(_ client: CalimeroClient, _ note: Comment) async throws {
      let (app, files, unread) = state.withLock { state in
        defer { state.unread = [] }
        return (state.app, state.files, state.unread)
      }
      let blobs = client.blobs(app)
      var listed: [String] = []
      for try await blob in blobs.list() { listed.append(blob.blobId) }
      #expect(Set(listed).count == listed.count, "a file is there twice, \(note)")
      #expect(Set(files.keys).isSubset(of: listed), "a file was answered and is not there, \(note)")
      for id in unread.sorted() { #expect(try await blobs.get(id) == files[id], "\(id), \(note)") }
    }

    /// Every invitation that was answered is there once, and those of this round can be seen by their codes.
    private func checkInvitations(_ client: CalimeroClient, _ note: Comment) async throws {
      let (org, invitations, unseen) = state.withLock { state in
        defer { state.unseen = [] }
        return (state.orgs["first"] ?? "", state.invitations, state.unseen)
      }
      var (ids, labels): ([String], [String]) = ([], [])
      for try await invite in client.orgs.inviteAll(org: org, state: .open) {
        ids.append(invite.inviteId)
        labels.append(invite.label ?? "")
      }
      #expect(Set(labels).count == labels.count, "an invitation is there twice, \(note)")
      #expect(Set(invitations.keys).isSubset(of: ids), "one was answered and is not there, \(note)")
      for id in unseen.sorted() {
        let preview = try await client.publicApi.invitePreview(code: invitations[id] ?? "")
        #expect(preview.state == .open, "\(id), \(note)")
      }
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
