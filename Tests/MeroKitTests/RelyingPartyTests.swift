import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Whose name a node may ask for")
struct RelyingPartyTests {
  private let clock = FakeClock(autoAdvance: 2)

  private func client(
    _ cloud: FakeCloud, _ policy: TeePolicy, _ change: (inout CalimeroClientOptions) -> Void = { _ in }
  ) -> CalimeroClient {
    var options = CalimeroClientOptions(
      baseUrl: cloud.urls[0], policy: policy, transport: cloud.transport, clock: clock.clock)
    change(&options)
    return CalimeroClient(options)
  }

  @Test("a passkey in software answers no node with a mock attestation that names somebody else")
  func somebodyElse() async throws {
    let cloud = FakeCloud(nodes: 1, rpId: "calimero.network", clock: clock.clock)
    let client = client(cloud, .development)
    let passkey = SoftPasskey()
    await #expect(throws: CalimeroError.passkey(.notAllowed(rpId: "calimero.network"))) {
      try await client.signUp(passkey, name: "ada")
    }
    await #expect(throws: CalimeroError.passkey(.notAllowed(rpId: "calimero.network"))) {
      try await client.signIn(passkey)
    }
    #expect(cloud.log.requests("auth_signup_finish").isEmpty)
    #expect(cloud.log.requests("auth_signin_finish").isEmpty)
  }

  @Test("it answers a node whose release is proven, whatever name the cluster has")
  func proven() async throws {
    let pki = TestPKI(now: clock.now)
    let cloud = FakeCloud(nodes: 1, rpId: "calimero.network", clock: clock.clock, tdx: pki)
    let client = client(cloud, .production) { $0.trustRoots = pki.roots }
    try await client.signUp(SoftPasskey(), name: "ada")
    #expect(await client.isSignedIn)
  }

  @Test("an authenticator that looks at addresses itself decides itself")
  func platform() async throws {
    let cloud = FakeCloud(nodes: 1, rpId: "calimero.network", clock: clock.clock)
    try await client(cloud, .development).signUp(Browser(), name: "ada")
    #expect(cloud.log.requests("auth_signup_finish").count == 1)
  }

  /// A provider with an origin of its own.
  private struct Browser: PasskeyProvider {
    let passkey = SoftPasskey()

    func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential {
      try await passkey.create(options)
    }

    func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential {
      try await passkey.get(options)
    }
  }
}
