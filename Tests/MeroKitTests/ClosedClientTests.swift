import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Closing a client", .timeLimit(.minutes(5)))
struct ClosedClientTests {
  private func isClosed(_ error: any Error) -> Bool { error as? CalimeroError == .closed }

  @Test("a call under way is cancelled at once, its node is not blamed, and nothing is sent afterwards")
  func underWay() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    rig.cloud.nodes[0].delay(milliseconds: 5000)
    rig.cloud.clearLog()
    let call = Task { try await client.call(app, "count") }
    #expect(await eventually { rig.cloud.log.outer.count == 1 })
    await client.close()
    await #expect(throws: CalimeroError.cancelled) { try await call.value }
    let states = await client.nodeStates()
    #expect(states.allSatisfy { $0.coolingSeconds == 0 && $0.failures == 0 && !$0.hasSession })
    for _ in 0..<10 { await rig.clock.advance(by: 5) }
    #expect(rig.cloud.log.outer.count == 1)
  }

  @Test("a request that waits for its next round ends at once and is not tried again")
  func betweenTries() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    for node in rig.cloud.nodes { node.refuse() }
    rig.clock.autoAdvance = 0
    rig.cloud.clearLog()
    let isWaiting = Locked(false)
    let impatient = rig.client { $0.log = { if $0.kind == .waiting { isWaiting.withLock { $0 = true } } } }
    let reading = Task { try await impatient.info() }
    #expect(await eventually { isWaiting.withLock { $0 } })
    let before = rig.cloud.log.outer.count
    await impatient.close()
    await #expect(throws: CalimeroError.cancelled) { try await reading.value }
    for node in rig.cloud.nodes { node.up() }
    for _ in 0..<10 { await rig.clock.advance(by: 1) }
    #expect(rig.cloud.log.outer.count == before)
    // Another client is none of its business.
    _ = try await client.call(app, "count")
  }

  @Test("whatever is asked of a closed client is refused before anything is sent")
  func afterwards() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    await client.close()
    rig.cloud.clearLog()
    for request: () async throws -> Void in [
      { _ = try await client.info() }, { _ = try await client.call(app, "count") },
      { _ = try await client.orgs.list() }, { _ = try await client.get("/orgs") },
      { _ = try await client.blobs(app).put(Data([1])) }, { try await client.signIn(rig.passkey) },
      { _ = try await client.jobs.wait(app: app, job: "job_1") }, { _ = try await client.attestation() },
      { for try await _ in client.stream("/apps/\(app)/events/stream") {} },
      { try await client.presence(app).set(1) },
    ] {
      await #expect { try await request() } throws: { isClosed($0) }
    }
    // Sequences have an end in place of an error.
    for try await _ in client.events(app) { Issue.record("an event") }
    for await _ in client.authChanges.dropFirst() { Issue.record("a change") }
    await client.presence(app).clear()
    await client.close()
    #expect(rig.cloud.log.outer.isEmpty)
  }

  @Test("a sign-in ends as cancelled while its passkey is asked, and the cluster hears of no more of it")
  func signingIn() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let passkey = WaitingPasskey()
    let signIn = Task { try await client.signUp(passkey, name: "ada") }
    #expect(await eventually { passkey.isAsked.withLock { $0 } })
    await client.close()
    await #expect(throws: CalimeroError.cancelled) { try await signIn.value }
    #expect(rig.cloud.log.requests("auth_signup_finish").isEmpty)
  }

  @Test("a file on its way down, a file on its way up and a stream of the caller's own end as cancelled")
  func transfers() async throws {
    let rig = try await BlobRig(oneRequest: 4 << 20, part: 1 << 20)
    let bytes = BlobRig.bytes(3 << 20)
    let blob = try await rig.blobs.put(bytes)
    var pieces = rig.blobs.stream(blob.blobId).makeAsyncIterator()
    #expect(try await pieces.next() != nil)
    let stream = rig.client.stream("/apps/\(rig.app)/events/stream")
    var events = stream.makeAsyncIterator()
    #expect(try await events.next()?.event == "calimero.ready")
    let steps = Steps()
    let node = rig.cloud.nodes[0]
    let upload = Task {
      // The parts wait at the node's door.
      try await rig.blobs.put(
        BlobRig.bytes(6 << 20), progress: steps.handler { _ in node.delay(milliseconds: 5000) })
    }
    while steps.all.isEmpty { await Task.yield() }
    await rig.client.close()
    await #expect(throws: CalimeroError.cancelled) { try await upload.value }
    await #expect(throws: CalimeroError.cancelled) { while try await pieces.next() != nil {} }
    await #expect(throws: CalimeroError.cancelled) { while try await events.next() != nil {} }
    #expect(await eventually { rig.cloud.openStreams(of: rig.app) == 0 })
  }

  @Test("event streams and readers of presence end, and what was set is taken back")
  func streams() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let other = rig.client()
    try await other.signIn(rig.passkey)
    try await client.presence(app).set("here")
    let events = Task { for try await _ in client.events(app) {} }
    let present = Task { for try await _ in client.presence(app).entries(as: String.self) {} }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 2 })
    await client.close()
    try await events.value
    try await present.value
    #expect(try await other.apps.presenceList(app: app).entries.isEmpty)
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
  }

  @Test("a refresh under way is heard out, so that the tokens it brings are not lost")
  func refreshing() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    let app = try await rig.app(client)
    let old = try #require(await store.load())
    await rig.clock.advance(by: 1000)
    rig.cloud.nodes[0].delay(milliseconds: 3000)
    rig.cloud.clearLog()
    let call = Task { try await client.call(app, "count") }
    #expect(await eventually { !rig.cloud.log.outer.isEmpty })
    let closing = Task { await client.close() }
    await #expect(throws: CalimeroError.cancelled) { try await call.value }
    rig.cloud.nodes[0].delay(milliseconds: 0)
    await rig.clock.advance(by: 3)
    await closing.value
    #expect(rig.cloud.log.requests("auth_refresh").map(\.status) == [200])
    #expect(await store.load()?.session.refreshToken != old.session.refreshToken)
    _ = try await rig.client(store: store).call(app, "count")
  }
}

/// An authenticator whose person does not answer.
private final class WaitingPasskey: PasskeyProvider {
  let isAsked = Locked(false)

  func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential {
    isAsked.withLock { $0 = true }
    try await MeroClock.system.sleep(3_600)
    throw PasskeyFailure.cancelled
  }

  func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential {
    throw PasskeyFailure.noCredential
  }
}
