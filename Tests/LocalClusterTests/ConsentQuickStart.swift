import Foundation
import MeroKit

/// The README's sign-in through a page, word for word: `QuickStartTests` compares the two and runs this one.
func consentQuickStart(
  client: CalimeroClient, browser: @Sendable (URL) async throws -> URL
) async throws {
  // quick start begins
  // Who asks keeps no secret: any program may, at an address that the package's deployment lists.
  let flow = try await client.beginConsent(
    package: "com.calimero.chat", scopes: ["apps:read", "apps:view"], redirectUri: "notes://consent")

  // The page of the cluster's first node. It comes back to notes://consent?code=…&state=…
  let callback = try await browser(flow.url)
  let account = try await client.finishConsent(flow, callback: callback)
  print("signed in as", account.name)
  // quick start ends
}
