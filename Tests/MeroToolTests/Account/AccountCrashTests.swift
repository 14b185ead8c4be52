import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import mero

@Suite("mero account: processes that are ended", .timeLimit(.minutes(5)))
struct AccountCrashTests {
  @Test("four processes that share a device, killed fifty times at any moment, use no number twice")
  func killed() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let (_, context) = try await ada.foundWithContext()
      let write = ["call", context, "set_value", #"{"key":"k","value":"v"}"#]
      let killing = Killing(
        words: ["account"] + write + ["--repeat", "1000000"] + ada.options, relay: rig.services.relays[0])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try await killing.work() } }
        try await group.waitForAll()
      }
      let killed = killing.killed
      #expect(killed >= 50)
      let written = rig.services.relays.flatMap(\.nonces).filter { $0.subject == context }
      #expect(written.count > 50)

      // The device goes on, above all that was used.
      let highest = try #require(written.map(\.value).max())
      #expect(await ada.run(write + ada.options).status == ExitCode.success)
      let nonces = rig.services.relays.flatMap(\.nonces)
      #expect(nonces.contains { $0.subject == context && $0.isSpent && $0.value > highest })
      let uses = Dictionary(grouping: nonces) { "\($0.device) \($0.subject) \($0.value)" }
      #expect(uses.values.filter { $0.count > 1 }.map { $0[0].value } == [])
    }
  }

  @Test("a process that has said something ends with its exit code, whatever its threads are doing then")
  func ends() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let (_, context) = try await ada.foundWithContext()
      for _ in 0..<8 {
        let file = rig.folder.appendingPathComponent("remarks")
        try Data().write(to: file)
        let process = try ToolProcess(
          ["account", "presence", context, "1"] + ada.options, remarks: FileHandle(forWritingTo: file))
        let end = await process.end()
        let said = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(end == .exited(0), "\(said)")
      }
    }
  }

  /// Starts processes and ends them, each when a number of warrants that is drawn has come since.
  private final class Killing: Sendable {
    private static let wanted = 50
    private static let mostLaunches = 100
    private let words: [String]
    private let relay: FakeRelay
    private let state = Locked((launched: 0, killed: 0))

    init(words: [String], relay: FakeRelay) {
      self.words = words
      self.relay = relay
    }

    var killed: Int { state.withLock { $0.killed } }

    func work() async throws {
      while begin() {
        let process = try ToolProcess(words)
        // With none it is ended while it starts.
        let target = relay.nonces.count + Int.random(in: 0...24)
        while process.isRunning, relay.nonces.count < target {
          try await Task.sleep(nanoseconds: UInt64.random(in: 1_000_000...7_000_000))
        }
        process.kill()
        if await process.end() == .signalled(SIGKILL) { state.withLock { $0.killed += 1 } }
      }
    }

    private func begin() -> Bool {
      state.withLock { state in
        guard state.killed < Self.wanted, state.launched < Self.mostLaunches else { return false }
        state.launched += 1
        return true
      }
    }
  }
}
