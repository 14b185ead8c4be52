import Foundation
import MeroAPI
import MeroHTTP
import Testing

@testable import MeroKit

@Suite("What the consent page sends back")
struct ConsentCallbackTests {
  private func flow(_ redirectUri: String) throws -> ConsentFlow {
    try ConsentFlow(
      .init(requestId: "crq_1", url: "https://cluster.example/consent?request=crq_1", expiresAt: 0),
      redirectUri: redirectUri, secrets: ConsentSecrets(.system))
  }

  private func read(_ callback: String, _ flow: ConsentFlow) throws -> ConsentCallback {
    try ConsentCallback(try #require(URL(string: callback)), of: flow)
  }

  @Test(
    "a code that comes with the flow's state is taken",
    arguments: ["notes://consent", "http://127.0.0.1:81/x"])
  func code(_ redirectUri: String) throws {
    let flow = try flow(redirectUri)
    #expect(try read("\(redirectUri)?code=abc&state=\(flow.state)", flow) == .code("abc"))
    #expect(try read("\(redirectUri)?error=access_denied&state=\(flow.state)", flow) == .denied)
  }

  @Test("what the app put into its own address does not stand in the way")
  func ownQuery() throws {
    let flow = try flow("notes://consent?tab=2")
    #expect(try read("notes://consent?tab=2&code=abc&state=\(flow.state)", flow) == .code("abc"))
  }

  @Test(
    "an address that is not the redirect URI is no callback",
    arguments: [
      "notes://other", "notas://consent", "notes://consent/deeper", "https://consent", "notes://user@consent",
      "notes://consent:8",
    ])
  func elsewhere(_ address: String) throws {
    let flow = try flow("notes://consent")
    #expect(throws: ConsentFailure.badCallback) { try read("\(address)?code=abc&state=\(flow.state)", flow) }
  }

  @Test(
    "an answer that can be read in two ways, or in none, is the flow's and neither yes nor no",
    arguments: ["", "code=", "code=a&code=b", "code=a&error=access_denied", "error=server_error", "code"])
  func unclear(_ query: String) throws {
    let flow = try flow("notes://consent")
    #expect(try read("notes://consent?\(query)&state=\(flow.state)", flow) == .neither)
  }

  @Test("an answer without a state, or with two, is no flow's")
  func noState() throws {
    let flow = try flow("notes://consent")
    #expect(throws: ConsentFailure.badCallback) { try read("notes://consent?code=a", flow) }
    #expect(throws: ConsentFailure.badCallback) {
      try read("notes://consent?code=a&state=\(flow.state)&state=\(flow.state)", flow)
    }
  }

  @Test("a state that differs is another flow's, whatever else the answer says")
  func mismatch() throws {
    let flow = try flow("notes://consent")
    for state in ["", String(flow.state.dropLast()), flow.state + "A", String(flow.state.reversed())] {
      #expect(throws: ConsentFailure.stateMismatch) {
        try read("notes://consent?code=a&state=\(state)", flow)
      }
      #expect(throws: ConsentFailure.stateMismatch) {
        try read("notes://consent?error=access_denied&state=\(state)", flow)
      }
    }
  }

  @Test(
    "a page that is no page of the web is not opened",
    arguments: ["", "file:///etc/passwd", "javascript:x", "https:"])
  func page(_ url: String) {
    #expect(throws: CalimeroError.self) {
      try ConsentFlow(
        .init(requestId: "crq_1", url: url, expiresAt: 0), redirectUri: "notes://consent",
        secrets: ConsentSecrets(.system))
    }
  }
}
