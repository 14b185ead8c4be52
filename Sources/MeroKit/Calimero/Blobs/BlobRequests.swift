import Foundation
import MeroAPI
import MeroHTTP

/// The requests that transfers consist of.
struct BlobRequests: Sendable {
  /// What is called slow and not dead, in bytes a second: a large body has as much more time as it takes at this speed.
  private static let slowest = 64.0 * 1024

  let core: ClientCore
  let app: String

  /// Sends a request with everything the client does about it.
  ///
  /// - Parameter count: how many bytes of a file it carries.
  func send<Value: Decodable>(_ input: some OperationInput, carrying count: Int = 0) async throws -> Value {
    let request = try input.request()
    var plan = RequestPlan(request)
    let extra = Double(count) / Self.slowest
    plan.timeout = core.options.timeouts.request + extra
    // A node that takes no more of it is dead, however long the rest would take.
    plan.idleTimeout = core.options.timeouts.request
    plan.deadline = core.options.retry.deadline + extra
    return try await core.engine.perform(request, plan: plan).decoded(for: request)
  }

  /// Asks for a file's bytes and answers when the first of them are on their way.
  ///
  /// - Parameter failed: the node at which the bytes before broke off.
  func open(_ id: String, range: String?, after failed: NodeHandle?) async throws -> OpenedStream {
    let input = Operations.AppBlobGet.Input(path: .init(app: app, blob: id), headers: .init(range: range))
    let request = try input.request()
    return try await core.engine.openStream(request, plan: RequestPlan(request), after: failed)
  }
}

/// Tells how far a transfer is, one step after the other and never backwards.
final class BlobMeter: Sendable {
  private let handler: BlobProgress.Handler?
  private let last = Locked<BlobProgress?>(nil)

  init(_ handler: BlobProgress.Handler?) { self.handler = handler }

  /// Called by one task at a time.
  func tell(_ completed: UInt64, of total: UInt64?) {
    guard let handler else { return }
    let step = BlobProgress(
      completed: Int64(clamping: completed), total: total.map { Int64(clamping: $0) })
    let isNews = last.withLock { last in
      if let last, last.completed > step.completed || last == step { return false }
      last = step
      return true
    }
    if isNews { handler(step) }
  }
}
