import Foundation
import MeroAPI
import MeroHTTP

/// The presences of a client, one for each app, and what happens to all of them: the session's end, the app's going to
/// the background.
final class Presences: Sendable {
  private struct State {
    var drivers: [String: PresenceDriver] = [:]
    var phases: AppPhases?
    var lastPhase: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let center: @Sendable () -> NotificationCenter

  init(center: @escaping @Sendable () -> NotificationCenter = { .default }) {
    self.center = center
  }

  func driver(of app: String, in core: ClientCore) -> PresenceDriver {
    watchPhases()
    return state.withLock { state in
      if let driver = state.drivers[app] { return driver }
      let driver = PresenceDriver(client: .init(core, app), clock: core.options.clock)
      state.drivers[app] = driver
      return driver
    }
  }

  /// Closes all of them.
  func closeAll(bearer: String? = nil, _ error: CalimeroError? = nil) async {
    let drivers = state.withLock { Array($0.drivers.values) }
    await withTaskGroup(of: Void.self) { group in
      for driver in drivers { group.addTask { await driver.close(bearer: bearer, error) } }
    }
  }

  private func watchPhases() {
    guard state.withLock({ $0.phases == nil }) else { return }
    let phases = AppPhases(center()) { [weak self] phase in self?.entered(phase) }
    state.withLock { state in state.phases = state.phases ?? phases }
  }

  /// One phase after the other, in the order they came.
  private func entered(_ phase: AppPhases.Phase) {
    state.withLock { state in
      let drivers = Array(state.drivers.values)
      state.lastPhase = Task { [last = state.lastPhase] in
        await last?.value
        await withTaskGroup(of: Void.self) { group in
          for driver in drivers {
            group.addTask {
              switch phase {
              case .background: await driver.pause()
              case .foreground: await driver.resume()
              }
            }
          }
        }
      }
    }
  }
}

extension PresenceDriver.Client {
  /// Over a client that may go away: presence must not keep it.
  fileprivate init(_ core: ClientCore, _ app: String) {
    put = { [weak core] statement, bearer in
      guard let core else { return .cancelled }
      do {
        let request = try Operations.AppPresenceSet.Input(
          path: .init(app: app), body: .json(.init(state: statement.state, version: statement.version))
        ).request()
        var plan = RequestPlan(request)
        plan.bearerToken = bearer
        // Nobody is helped by an entry that comes when it would have been over.
        plan.deadline = 7
        if statement.state == .null {
          plan.retry = RetryPolicy.none
          plan.timeout = 5
          plan.deadline = 5
          plan.isFarewell = true
        }
        _ = try await core.engine.perform(request, plan: plan)
        return nil
      } catch let failure as APIFailure {
        return CalimeroError(failure)
      } catch {
        return error as? CalimeroError ?? .cancelled
      }
    }
    // Kinds of the app do not come; those of presence always do. What is missed in between says nothing of who is
    // present now.
    events = { [weak core] in
      core?.events(app, kinds: ["calimero.presence"], presence: true, options: EventOptions(onGap: .resume))
    }
    // The store is not read where an API key is used (70 §2.4).
    session = { [weak core] in
      guard let core, await core.settings.apiKey == nil else { return nil }
      return await core.keeper.current()?.session.sessionId
    }
  }
}
