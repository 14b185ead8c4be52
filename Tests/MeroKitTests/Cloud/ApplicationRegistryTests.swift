import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Applications in a registry")
struct ApplicationRegistryTests {
  private let registry = FakeRegistry()
  private let clock = FakeClock(autoAdvance: 1)
  private let package = "com.calimero.kv-store"

  private func latest() async throws -> String {
    try await ApplicationRegistry.latestVersion(
      registryURL: registry.url + "/", package: package, transport: registry.transport, clock: clock.clock)
  }

  private func resolve() async throws -> ResolvedApplication {
    try await ApplicationRegistry.resolve(
      registryURL: registry.url, package: package, transport: registry.transport, clock: clock.clock)
  }

  @Test(
    "40 §19 #126: an application's id is that of its package and its publisher",
    arguments: [
      (
        "com.calimero.kv-store", "did:key:z6MkoWkrrFjwC4FXQfyGwwcgTPvRoJZenMEVm9Z332bdkz6B",
        "e810e86f443e8c1feb98bb83a266246478a34c75397a66a78bd5a790c6d72d0d"
      ),
      (
        "com.calimero.café", "did:key:z6MkExample",
        "cf9b180c7952ef0aa41fe73e9cb7ac2b4b19917099341e295534aa4a50861bd5"
      ),
    ])
  func applicationId(_ package: String, _ signerId: String, _ id: String) {
    #expect(ApplicationRegistry.applicationId(package: package, signerId: signerId) == id)
  }

  @Test("40 §19 #127: the newest version that was not withdrawn is the latest, and there may be none")
  func latestVersion() async throws {
    #expect(await AccountErrorKind.of { try await latest() } == .invalidInput)
    registry.publish(package, version: "0.0.54", signerId: "a", yanked: true)
    #expect(await AccountErrorKind.of { try await latest() } == .invalidInput)
    registry.publish(package, version: "0.0.41", signerId: "a")
    registry.publish(package, version: "0.0.9", signerId: "a")
    registry.publish(package, version: nil, signerId: "a")
    registry.publish("com.example.other", version: "9.0.0", signerId: "a")
    #expect(try await latest() == "0.0.41")
    #expect(registry.log.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test("40 §16.1: a release is newer than its candidates, and of equal versions the first counts")
  func order() {
    let candidate = RegistryBundleManifest(appVersion: "1.0.0-rc.1", signerId: "a")
    let one = RegistryBundleManifest(appVersion: "1.0.0", signerId: "one")
    let two = RegistryBundleManifest(appVersion: "1.0.0", signerId: "two")
    #expect(ApplicationRegistry.selectLatest([candidate, one, two])?.signerId == "one")
    #expect(ApplicationRegistry.selectLatest([two, candidate, one])?.signerId == "two")
  }

  @Test("40 §19 #128: two publishers name no one application, unless one was withdrawn")
  func publishers() async throws {
    registry.publish(package, version: "1.0.0", signerId: "did:key:one")
    registry.publish(package, version: "2.0.0", signerId: "did:key:two", yanked: true)
    #expect(
      try await resolve()
        == ResolvedApplication(
          applicationId: ApplicationRegistry.applicationId(package: package, signerId: "did:key:one"),
          signerId: "did:key:one", version: "1.0.0"))
    registry.publish(package, version: "0.1.0", signerId: "did:key:two")
    #expect(await AccountErrorKind.of { try await resolve() } == .invalidInput)
  }

  @Test("40 §19 #128: without a publisher the id is not guessed", arguments: [nil, ""])
  func noPublisher(_ signerId: String?) async {
    registry.publish(package, version: "1.0.0", signerId: signerId)
    #expect(await AccountErrorKind.of { try await resolve() } == .invalidInput)
  }

  @Test("40 §19 #128: a registry that fails is named with its status")
  func failing() async {
    registry.fail(.status(500))
    let error = await #expect(throws: MeroError.self) { try await resolve() }
    #expect(error?.description.contains("500") == true)
  }

  @Test("one version's manifest says how its state is migrated")
  func manifest() async throws {
    registry.publish(
      "a/b", version: "1.0.0+x", signerId: "s",
      migration: ["method": "migrate", "toSchemaVersion": 2, "toVersion": "1.0.0"])
    let manifest = try await ApplicationRegistry.manifest(
      registryURL: registry.url, package: "a/b", version: "1.0.0+x", transport: registry.transport,
      clock: clock.clock)
    #expect(manifest.appVersion == "1.0.0+x")
    #expect(manifest.migration?.method == "migrate")
    #expect(registry.log.map(\.path) == ["/api/v2/bundles/a%2Fb/1.0.0%2Bx"])
  }
}
