import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("What errors say, and when")
struct ReviewErrorTests {
  @Test(
    "a node may ask for a wait of any length, and the error can still be printed",
    arguments: [1e300, .infinity, .nan, -1, 2.2])
  func longWait(seconds: TimeInterval) {
    let error = APIError(status: 503, code: .unavailable, message: "", retryAfter: seconds)
    #expect(error.description.contains("Try again in "))
    if seconds == 2.2 { #expect(error.description.hasSuffix("Try again in 3 s.")) }
  }

  @Test(
    "an address that cannot be used is not repeated when it may hold a secret",
    arguments: ["ftp://ada:hunter2@node.example", "http://ada:hunter2@", "https://h.example/?key=hunter2"])
  func secretInAddress(text: String) {
    #expect {
      _ = try ClientConfiguration.nodeURL(text)
    } throws: {
      !"\($0)".contains("hunter2")
    }
  }

  @Test("what a transport of the caller's own throws is unreachable, not cancelled")
  func foreignError() async {
    struct Odd: Error {}
    struct OddTransport: HTTPTransport {
      func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw Odd() }
    }
    let client = CalimeroClient(
      CalimeroClientOptions(
        baseUrl: "http://127.0.0.1:2501", policy: .development, transport: OddTransport(),
        clock: FakeClock().clock))
    await #expect {
      _ = try await client.attestation()
    } throws: {
      if case CalimeroError.unreachable = $0 { true } else { false }
    }
  }

  @Test("a passkey whose counter is at its end says so")
  func counterAtItsEnd() async throws {
    let exported = """
      {"version":1,"credentials":[{"credentialId":"AAAA","rpId":"localhost","userHandle":"AAAA","userName":"ada",\
      "algorithm":-8,"privateKey":"\(String(repeating: "A", count: 43))","counter":4294967295}]}
      """
    let passkey = try SoftPasskey(exported: Data(exported.utf8))
    let options = PasskeyRequestOptions(challenge: "AAAA", rpId: "localhost", userVerification: "required")
    await #expect(throws: PasskeyFailure.self) { try await passkey.get(options) }
  }

  @Test("the generated methods refuse a key or a method's name that is none, and send nothing")
  func limitsOfGeneratedMethods() async throws {
    let rig = SessionRig()
    let client = rig.client()
    func isRefused(_ request: () async throws -> Void) async -> Bool {
      do { try await request() } catch CalimeroError.invalidInput { return true } catch {}
      return false
    }
    #expect(await isRefused { _ = try await client.orgs.create(name: "Acme", idempotencyKey: "a b") })
    #expect(await isRefused { _ = try await client.apps.call(app: "app_1", method: "", args: [:]) })
    let long = String(repeating: "m", count: 129)
    #expect(await isRefused { _ = try await client.apps.view(app: "app_1", method: long, args: [:]) })
    #expect(rig.cloud.log.outer.isEmpty)
  }

  @Test("the generated methods refuse names, labels and states beyond their limits, and send nothing")
  func limitsOfNames() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let long = String(repeating: "x", count: 81)
    let state = JSONValue.string(String(repeating: "a", count: 16_383))
    for request: () async throws -> Void in [
      { _ = try await client.auth.signupBegin(name: "A") },
      { _ = try await client.auth.signupBegin(name: "ada", displayName: long) },
      { _ = try await client.auth.signinBegin(name: "Ada Lovelace") },
      { _ = try await client.auth.keyCreate(label: " ", scopes: []) },
      { _ = try await client.auth.keyCreate(label: long, scopes: []) },
      { _ = try await client.orgs.inviteCreate(org: "org_1", role: .member, label: "a\u{7}b") },
      { _ = try await client.orgs.teamCreate(org: "org_1", name: "") },
      { try await client.apps.presenceSet(app: "app_1", state: state, version: 1) },
      { _ = try await client.api.orgCreate(.init(body: .json(.init(name: long)))) },
    ] {
      let error = await calimeroError(request)
      guard case .invalidInput? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(rig.cloud.log.outer.isEmpty)
    _ = try await rig.app(client)
    let key = try await client.auth.keyCreate(label: " bot ", scopes: ["orgs:read"], passkey: rig.passkey)
    #expect(key.key.label == "bot")
  }
}
