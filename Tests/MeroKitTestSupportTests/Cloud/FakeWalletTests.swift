import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import Testing

@Suite("A wallet in memory")
struct FakeWalletTests {
  private let wallet = FakeWallet(seed: 4)
  private let key = String(repeating: "0a", count: 32)

  private func page(_ query: String) throws -> URL { try #require(URL(string: "\(wallet.url)?\(query)")) }

  private func asking() throws -> URL {
    try page("enrol-device=\(key)&enrol-kem=\(key)&callback-url=notes%3A%2F%2Fenrol%3Fa%3Db&state=s+1")
  }

  @Test("a yes comes back to the callback with a credential that verifies, and the state")
  func approve() throws {
    let answer = try wallet.approve(try asking())
    #expect(answer.absoluteString.hasPrefix("notes://enrol?a=b#credential="))
    let callback = try #require(try DeviceEnrolment.readCallback(answer))
    #expect(callback.account == wallet.account)
    #expect(callback.state == "s 1")
    let credential = try DeviceCertificates.verify(callback.credential)
    #expect(credential.signPublicKey == key)
    #expect(credential.device == callback.device)
    #expect(FakeWallet(seed: 4).account == wallet.account)
  }

  @Test(
    "an address that asks for something else is not taken",
    arguments: [
      "", "enrol-device=0A&enrol-kem=0A&callback-url=notes%3A%2F%2Fenrol",
      "enrol-device=\(String(repeating: "0a", count: 32))&enrol-kem=\(String(repeating: "0a", count: 32))&callback-url=enrol",
      "enrol-device=\(String(repeating: "0a", count: 32))&enrol-kem=\(String(repeating: "0a", count: 32))&callback-url=n%3A%2F%2Fe%23x",
    ])
  func badRequests(_ query: String) async throws {
    #expect(throws: FakeWallet.BadRequest.self) { try wallet.approve(try page(query)) }
    let response = try await wallet.transport.send(HTTPRequest(.get, try page(query)))
    #expect(response.status == 400)
  }

  @Test("its page has a link for yes and one for no")
  func html() async throws {
    let response = try await wallet.transport.send(HTTPRequest(.get, try asking()))
    let text = String(decoding: try await response.body.collect(upTo: 1 << 16), as: UTF8.self)
    #expect(response.status == 200)
    #expect(text.contains(#"href="notes://enrol?a=b#credential="#))
    #expect(text.contains("&amp;device="))
    #expect(text.contains(#"href="notes://enrol?a=b#error=cancelled""#))
  }
}
