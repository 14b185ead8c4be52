import MeroKit
import MeroKitTestSupport
import Testing

@testable import mero

@Suite("Consent at mero local")
struct LocalConsentTests {
  private func client(of cloud: FakeCloud) -> CalimeroClient {
    CalimeroClient(
      CalimeroClientOptions(baseUrl: cloud.urls[0], policy: .development, transport: cloud.transport))
  }

  @Test(
    "programs on this machine may be sent back to at any port, and what was added too",
    arguments: ["http://127.0.0.1/callback", "http://127.0.0.1:49152/callback", "notes://consent"])
  func allowed(address: String) async throws {
    let cloud = FakeCloud(nodes: 1)
    try LocalConsent.apply(
      try Arguments(["--consent-callback", "notes://consent"], values: LocalConsent.options), to: cloud)
    let flow = try await client(of: cloud).beginConsent(
      package: "com.calimero.chat", scopes: ["apps:view"], redirectUri: address)
    #expect(flow.url.path == "/consent")
  }

  @Test(
    "nobody else is sent an answer",
    arguments: ["http://127.0.0.1/other", "https://example.com/callback", "notes://else"])
  func refused(address: String) async throws {
    let cloud = FakeCloud(nodes: 1)
    try LocalConsent.apply(try Arguments([], values: LocalConsent.options), to: cloud)
    await #expect {
      _ = try await client(of: cloud).beginConsent(
        package: "com.calimero.chat", scopes: ["apps:view"], redirectUri: address)
    } throws: {
      ($0 as? CalimeroError)?.code == .invalidArgument
    }
  }

  @Test(
    "an address that no answer may go to is refused when it is typed",
    arguments: ["javascript:alert(1)", "notes", ""])
  func unfit(address: String) throws {
    let arguments = try Arguments(["--consent-callback", address], values: LocalConsent.options)
    #expect(throws: UsageError.self) { try LocalConsent.apply(arguments, to: FakeCloud(nodes: 1)) }
  }
}
