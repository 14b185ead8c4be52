import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire

@testable import MeroKit

/// A cluster and clients over it, each with its own session store.
struct SessionRig: Sendable {
  /// Waits up to two seconds end at once; longer ones, watchdogs and deadlines, wait for the test.
  let clock = FakeClock(autoAdvance: 2)
  let cloud: FakeCloud
  let wire: Wire
  let passkey = SoftPasskey()

  init(nodes: Int = 3) {
    cloud = FakeCloud(nodes: nodes, clock: clock.clock, seed: 5)
    cloud.register(
      FakePackage("com.example.numbers", version: "1.0.0") {
        // Emits `count` events that count on from the ones before.
        $0.call("count") { context, args in
          let next = context["next"]?.int64 ?? 0
          let count = args["count"]?.int64 ?? 1
          for number in next..<next + count { context.emit("Number", ["n": JSONValue(number)]) }
          context["next"] = JSONValue(next + count)
          return JSONValue(next + count)
        }
        $0.view("next") { context, _ in context["next"] ?? 0 }
      })
    wire = Wire(cloud)
  }

  func client(
    nodes: [Int] = [0, 1, 2], store: any SessionStore = MemorySessionStore(),
    clock: FakeClock? = nil,
    _ change: (inout CalimeroClientOptions) -> Void = { _ in }
  ) -> CalimeroClient {
    let urls = nodes.map { cloud.urls[$0] }
    var options = CalimeroClientOptions(
      baseUrl: urls[0], nodes: Array(urls.dropFirst()), policy: .development, sessionStore: store,
      transport: wire.transport, clock: (clock ?? self.clock).clock)
    change(&options)
    return CalimeroClient(options)
  }

  /// The first node as a browser reaches it.
  var origin: String { "http://localhost:\(cloud.nodes[0].url.port ?? 0)" }

  /// Signs up and makes an app that counts.
  func app(_ client: CalimeroClient) async throws -> String {
    try await client.signUp(passkey, name: "ada")
    let org = try await client.orgs.create(name: "Acme").orgId
    return try await client.apps.create(name: "numbers", package: "com.example.numbers", org: org)
      .appId
  }
}

/// Waits for a condition that other tasks bring about, giving way to them; false when it does not come.
func eventually(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<200_000 {
    if await condition() { return true }
    // What comes over a socket is another thread's work, which giving way does not hurry.
    if Wire.hasSockets { try? await MeroClock.system.sleep(0.001) } else { await Task.yield() }
  }
  return false
}
