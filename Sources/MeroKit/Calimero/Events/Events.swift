import Foundation
import MeroAPI
import MeroHTTP

extension CalimeroClient {
  /// The events of an app as they happen, each once and in order (70 §2.16).
  ///
  /// Nothing is sent before the loop begins. The stream finds its way back after every interruption that
  /// waiting or another node can mend, from where it was.
  ///
  /// ```swift
  /// for try await event in client.events(app, kinds: ["MessageSent"]) {
  ///   print(event.kind, event.data)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - start: where to begin.
  ///   - kinds: only these kinds, and those of the node; nil for all.
  ///   - presence: whether presence comes too, as `calimero.presence.all` and `calimero.presence`.
  /// - Returns: a sequence that throws ``CalimeroError``.
  public func events(
    _ app: String, from start: EventStart = .now, kinds: [String]? = nil, presence: Bool = false,
    options: EventOptions = EventOptions()
  ) -> AppEventStream {
    core.events(app, from: start, kinds: kinds, presence: presence, options: options)
  }

  /// A page of an app's events, for a program that would rather ask than listen.
  ///
  /// - Parameters:
  ///   - after: the cursor of the page before; nil begins with the oldest event kept.
  ///   - kinds: only these kinds; nil for all.
  ///   - limit: at most this many, up to 500; nil for 100.
  ///   - wait: seconds to wait for an event when there is none, at most 25.
  /// - Throws: ``CalimeroError``.
  public func eventPage(
    _ app: String, after: String? = nil, kinds: [String]? = nil, limit: Int? = nil, wait: TimeInterval? = nil
  ) async throws -> Components.Schemas.EventPage {
    let request = try EventFilter(app: app, kinds: kinds, presence: false)
      .pageRequest(after: after, limit: limit, wait: wait)
    let response = try await core.engine.perform(request, plan: RequestPlan(request))
    let page: Components.Schemas.EventPage = try response.decoded(for: request)
    if let last = page.events.map(\.seq).max() { await core.settings.saw(app, at: last) }
    return page
  }
}

extension ClientCore {
  /// A stream of an app's events, as ``CalimeroClient/events(_:from:kinds:presence:options:)`` describes it.
  func events(
    _ app: String, from start: EventStart = .now, kinds: [String]? = nil, presence: Bool = false,
    options eventOptions: EventOptions = EventOptions()
  ) -> AppEventStream {
    let core = self
    let filter = EventFilter(app: app, kinds: kinds, presence: presence)
    var limits = EventStreamMachine.Limits()
    limits.idle = core.options.timeouts.streamIdle
    let machine = EventStreamMachine(
      of: app, from: start, options: eventOptions, limits: limits, at: core.options.clock.uptime())
    let client = EventStreamDriver.Client(
      open: { try await core.openEvents(filter, after: $0, preferred: $1, failed: $2) },
      failed: { await core.engine.streamFailed(at: $0) },
      sessionEnd: {
        while let reason = await core.keeper.sessionEnd() {
          // With an API key the session is not what the stream lives from.
          if await core.settings.apiKey == nil { return reason }
        }
        return nil
      },
      noteSeq: { await core.settings.saw(app, at: $0) })
    return AppEventStream(
      EventStreamDriver(machine, client: client, clock: core.options.clock, random: core.options.random))
  }
}

extension ClientCore {
  /// Opens a stream at one node; what it throws tells whether the stream goes on.
  fileprivate func openEvents(
    _ filter: EventFilter, after cursor: String?, preferred: NodeHandle?, failed: NodeHandle?
  ) async throws -> OpenedStream {
    let request = try filter.streamRequest(after: cursor)
    var plan = RequestPlan(request)
    // The stream has waits of its own, and goes on for longer than any request.
    plan.retry = RetryPolicy.none
    plan.preferredNode = preferred?.url
    /// Something that a stream waits for.
    func passing(_ node: URL?, _ cause: String) async throws -> CalimeroError {
      let base = try await pool().base
      return .unreachable(
        Unreachable(failures: [.init(node: node ?? base, cause: cause)], operation: request.operation?.id))
    }
    do {
      return try await engine.openStream(request, plan: plan, after: failed)
    } catch let error as CalimeroError where error == .closed {
      // Streams end with their client, whatever they were doing then.
      throw CalimeroError.cancelled
    } catch CalimeroError.api(let refusal) where refusal.code == .tokenRevoked {
      guard await settings.apiKey == nil else { throw CalimeroError.api(refusal) }
      // The keeper heard of it, and what the stream ends with must not depend on who tells it first. Where there is a
      // session all the same, somebody signed in again meanwhile, and the stream goes on with that.
      _ = try await keeper.bearer(clusterId: nil)
      throw try await passing(refusal.node, "\(refusal.code)")
    } catch CalimeroError.attestation(let failure) {
      guard try await pool().hasUsableNode() else { throw CalimeroError.attestation(failure) }
      // Some node cannot be trusted and another could not be reached.
      throw try await passing(failure.node, "\(failure)")
    }
  }
}

/// Which events are asked for, and how the questions are written.
struct EventFilter: Sendable {
  let app: String
  let kinds: [String]?
  let presence: Bool

  func streamRequest(after cursor: String?) throws -> APIRequest {
    let kinds = try kindList()
    return try CalimeroError.translated {
      try Operations.AppEventStream.Input(
        path: .init(app: app), query: .init(cursor: cursor, kinds: kinds, presence: presence ? true : nil)
      ).request()
    }
  }

  func pageRequest(after cursor: String?, limit: Int?, wait: TimeInterval?) throws -> APIRequest {
    if let limit, !(1...500).contains(limit) {
      throw CalimeroError.invalidInput("a page has 1 to 500 events, not \(limit)")
    }
    if let wait, !(0...25).contains(wait) {
      throw CalimeroError.invalidInput("a page can be waited for up to 25 seconds, not \(wait)")
    }
    let kinds = try kindList()
    return try CalimeroError.translated {
      try Operations.AppEventList.Input(
        path: .init(app: app),
        query: .init(
          cursor: cursor, kinds: kinds, waitMs: wait.map { Int64($0 * 1000) }, limit: limit.map(Int32.init))
      ).request()
    }
  }

  private func kindList() throws -> String? {
    guard let kinds else { return nil }
    guard !kinds.isEmpty, kinds.allSatisfy({ !$0.isEmpty && !$0.contains(",") }) else {
      throw CalimeroError.invalidInput("kinds must be one or more names of events, without commas")
    }
    return kinds.joined(separator: ",")
  }
}
