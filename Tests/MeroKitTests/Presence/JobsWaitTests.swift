import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Waiting for jobs")
struct JobsWaitTests {
  private func rig() -> SessionRig {
    let rig = SessionRig()
    // Two seconds are what the waiting itself sleeps.
    rig.clock.autoAdvance = 1
    rig.cloud.register(
      FakePackage("com.example.numbers", version: "1.1.0") {
        $0.call("work", taking: 60) { _, args in args }
        $0.call("fail", taking: 60) { _, _ in throw FakePackage.Failure("no") }
      })
    return rig
  }

  @Test("wait follows the events and answers the job as it ended, done, failed or cancelled")
  func followsEvents() async throws {
    let rig = rig()
    let client = rig.client()
    let app = try await rig.app(client)
    for (method, state) in [("work", "done"), ("fail", "failed")] {
      let job = try await client.apps.jobCreate(app: app, method: method, args: ["n": 1]).jobId
      let waiting = Task { try await client.jobs.wait(app: app, job: job) }
      #expect(await eventually { rig.cloud.openStreams(of: app) == 1 })
      for _ in 0..<31 { await rig.clock.advance(by: 2) }
      let ended = try await waiting.value
      #expect(ended.state.rawValue == state)
      // While the stream was being opened, and once when it was: not thirty times.
      #expect(rig.cloud.log.requests("app_job_get").count < 10)
      rig.cloud.clearLog()
      #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
    }
    let job = try await client.apps.jobCreate(app: app, method: "work", args: [:]).jobId
    let waiting = Task { try await client.jobs.wait(app: app, job: job) }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 1 })
    _ = try await client.apps.jobCancel(app: app, job: job)
    #expect(try await waiting.value.state == .cancelled)
    // One that has ended is answered at once.
    #expect(try await client.jobs.wait(app: app, job: job).state == .cancelled)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("where events cannot be had, wait asks every two seconds")
  func polls() async throws {
    let rig = rig()
    let client = rig.client()
    let app = try await rig.app(client)
    for node in rig.cloud.nodes {
      node.answer(403, "SCOPE_MISSING", times: 1000, operation: "app_event_stream")
    }
    let job = try await client.apps.jobCreate(app: app, method: "work", args: [:]).jobId
    let hasEnded = Locked(false)
    let waiting = Task {
      defer { hasEnded.withLock { $0 = true } }
      return try await client.jobs.wait(app: app, job: job)
    }
    #expect(await eventually { rig.cloud.log.requests("app_job_get").count >= 2 })
    for _ in 0..<800 where !hasEnded.withLock({ $0 }) { await rig.clock.advance(by: 1) }
    #expect(try await waiting.value.state == .done)
    #expect(rig.cloud.log.requests("app_job_get").count > 2)
  }

  @Test("an event that cannot be read does not leave wait hanging: the job is asked for")
  func unreadableEvent() async throws {
    let rig = rig()
    // Silence is another test's subject.
    let client = rig.client { $0.timeouts.streamIdle = 100_000 }
    let app = try await rig.app(client)
    let job = try await client.apps.jobCreate(app: app, method: "work", args: [:]).jobId
    let (opened, hasEnded, never) = (Gate(), Gate(), Gate())
    let chunks = Locked([
      EventSamples.ready(1),
      EventSamples.event(2, kind: "calimero.job", data: ["jobId": .string(job), "state": 7]),
    ])
    rig.cloud.nodes[0].replaceAnswers { operation in
      guard operation == "app_event_stream" else { return nil }
      return HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"],
        body: HTTPBody {
          let next = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
          if next?.kind == "calimero.job" { try await hasEnded.wait() }
          guard let next else {
            try await never.wait()
            return nil
          }
          opened.open()
          return try EventSamples.wire(next)
        } cancel: {
          never.open(.failure(CancellationError()))
        })
    }
    let result = Locked<Components.Schemas.Job?>(nil)
    let waiting = Task {
      let ended = try await client.jobs.wait(app: app, job: job)
      result.withLock { $0 = ended }
    }
    try await opened.wait()
    for _ in 0..<40 { await rig.clock.advance(by: 2) }
    // It was asked once more when the stream was open, and was running then.
    #expect(result.withLock { $0 } == nil)
    hasEnded.open()
    #expect(await eventually { result.withLock { $0?.state } == .done })
    waiting.cancel()
    rig.cloud.nodes[0].replaceAnswers(nil)
  }

  @Test("wait outlives nodes that are all away")
  func allAway() async throws {
    let rig = rig()
    let tries = Locked(0)
    let client = rig.client {
      $0.retry = RetryPolicy.none
      $0.log = { if $0.kind == .tryBegan { tries.withLock { $0 += 1 } } }
    }
    let app = try await rig.app(client)
    let job = try await client.apps.jobCreate(app: app, method: "work", args: [:]).jobId
    let end = Locked<Result<Components.Schemas.Job, any Error>?>(nil)
    let waiting = Task {
      do {
        let ended = try await client.jobs.wait(app: app, job: job)
        end.withLock { $0 = .success(ended) }
      } catch {
        end.withLock { $0 = .failure(error) }
      }
    }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 1 })
    for node in rig.cloud.nodes { node.refuse() }
    let before = tries.withLock { $0 }
    for _ in 0..<40 { await rig.clock.advance(by: 1) }
    #expect(tries.withLock { $0 } > before)
    #expect(end.withLock { $0 == nil })
    for node in rig.cloud.nodes { node.up() }
    for _ in 0..<800 where end.withLock({ $0 == nil }) { await rig.clock.advance(by: 1) }
    #expect(try end.withLock { $0 }?.get().state == .done)
    waiting.cancel()
  }

  @Test("a job that is not there is refused, and a task that is cancelled waits no longer")
  func refusedAndCancelled() async throws {
    let rig = rig()
    let client = rig.client()
    let app = try await rig.app(client)
    await #expect {
      _ = try await client.jobs.wait(app: app, job: "job_none")
    } throws: {
      ($0 as? CalimeroError)?.code == .notFound
    }
    let job = try await client.apps.jobCreate(app: app, method: "work", args: [:]).jobId
    let waiting = Task { try await client.jobs.wait(app: app, job: job) }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 1 })
    waiting.cancel()
    await #expect(throws: CalimeroError.cancelled) { _ = try await waiting.value }
    #expect(try await client.apps.jobGet(app: app, job: job).state == .running)
  }
}
