import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: an account's passkeys and sessions")
struct PasskeyManagementTests {
  private func add(
    _ passkey: HandPasskey, to ada: Person, _ rig: Rig, begin: String = "{}", label: String? = nil
  ) async throws -> (finish: String, reply: Rig.Reply) {
    let begun = try await rig.confirmed("POST", "/auth/passkeys/begin", begin, by: ada)
    try #require(begun.status == 200, "\(begun.json)")
    var finish = try #require(try passkey.registration(for: begun.json).objectValue)
    finish["label"] = label.map { .string($0) }
    let body = JSONValue.object(finish).text
    return (body, try await rig.send("POST", "/auth/passkeys/finish", body, token: ada.token))
  }

  private func signIn(_ passkey: HandPasskey, _ rig: Rig, name: String? = "ada") async throws -> Rig.Reply {
    let begun = try await rig.send(
      "POST", "/auth/signin/begin", name.map { #"{"name":"\#($0)"}"# } ?? "{}")
    return try await rig.send("POST", "/auth/signin/finish", try passkey.assertion(for: begun.json).text)
  }

  @Test("a second passkey is confirmed by the first, listed, and signs in, by name too")
  func another() async throws {
    let rig = try Rig()
    let ada = try await rig.person("ada")
    let second = try HandPasskey.es256()
    let added = try await add(second, to: ada, rig, begin: #"{"label":"phone"}"#)
    #expect(added.reply.status == 201)
    #expect(added.reply.json["label"] == "phone")
    #expect(added.reply.json["algorithm"] == -7)
    let list = try await rig.send("GET", "/auth/passkeys", token: ada.token, node: 2)
    let ids = list.texts("passkeys", "passkeyId")
    #expect(ids.count == 2)
    #expect(ids.last == added.reply.json["passkeyId"]?.stringValue)
    #expect(list.json["passkeys"]?[0]?["lastUsedAt"] == 1_790_000_000_000)
    for name in ["ada", nil] {
      let session = try await signIn(second, rig, name: name)
      #expect(session.json["accountId"]?.stringValue == ada.account)
    }
    // Both are offered where a name or a confirmation asks for one.
    let begun = try await rig.send("POST", "/auth/signin/begin", #"{"name":"ada"}"#)
    #expect(begun.json["options"]?["allowCredentials"]?.arrayValue?.count == 2)
    let next = try await rig.confirmed("POST", "/auth/passkeys/begin", "{}", by: ada)
    #expect(next.json["options"]?["excludeCredentials"]?.arrayValue?.count == 2)
    #expect(next.json["options"]?["user"]?["id"]?.stringValue == ada.passkey.userHandle)
    #expect(rig.cloud.violations == [])
  }

  @Test(
    "finishing again within a minute gives the same passkey; later, with another one or elsewhere it does not"
  )
  func repeated() async throws {
    let rig = try Rig()
    let (ada, bob) = (try await rig.person("ada"), try await rig.person("bob"))
    let added = try await add(HandPasskey(), to: ada, rig, label: "laptop")
    #expect(added.reply.json["label"] == "laptop")
    func finish(_ body: String, by person: Person) async throws -> Rig.Reply {
      try await rig.send("POST", "/auth/passkeys/finish", body, token: person.token, node: 1)
    }
    #expect(try await finish(added.finish, by: bob).code == "CEREMONY_EXPIRED")
    await rig.clock.advance(by: 59)
    #expect(try await finish(added.finish, by: ada).json == added.reply.json)
    await rig.clock.advance(by: 1)
    #expect(try await finish(added.finish, by: ada).code == "CEREMONY_EXPIRED")
    let begun = try await rig.confirmed("POST", "/auth/passkeys/begin", "{}", by: ada)
    let good = try HandPasskey().registration(for: begun.json).text
    let broken = HandPasskey()
    broken.origin = "https://evil.example"
    let bad = try broken.registration(for: begun.json).text
    #expect(try await finish(bad, by: ada).code == "PASSKEY_REJECTED")
    #expect(try await finish(good, by: ada).code == "CEREMONY_EXPIRED")
    let again = try await rig.confirmed("POST", "/auth/passkeys/begin", "{}", by: ada)
    let known = try ada.passkey.registration(for: again.json).text
    #expect(try await finish(known, by: ada).code == "PASSKEY_REJECTED")
    let late = try await rig.confirmed("POST", "/auth/passkeys/begin", "{}", by: ada)
    await rig.clock.advance(by: 300)
    let over = try HandPasskey().registration(for: late.json).text
    #expect(try await finish(over, by: ada).code == "CEREMONY_EXPIRED")
    #expect(
      try await rig.send("GET", "/auth/passkeys", token: ada.token).texts("passkeys", "passkeyId").count == 2)
    #expect(rig.cloud.violations == [])
  }

  @Test("a ceremony of one kind does not finish as another")
  func otherKinds() async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    let begun = try await rig.confirmed("POST", "/auth/passkeys/begin", "{}", by: ada)
    let finish = try HandPasskey().registration(for: begun.json).text
    #expect(try await rig.send("POST", "/auth/signup/finish", finish).code == "CEREMONY_EXPIRED")
    let signUp = try await rig.send("POST", "/auth/signup/begin", #"{"name":"bob"}"#)
    let other = try HandPasskey().registration(for: signUp.json).text
    #expect(
      try await rig.send("POST", "/auth/passkeys/finish", other, token: ada.token).code == "CEREMONY_EXPIRED")
  }

  @Test("a passkey is removed with a confirmation and signs in no more; the last one stays")
  func remove() async throws {
    let rig = try Rig()
    let (ada, bob) = (try await rig.person("ada"), try await rig.person("bob"))
    let second = HandPasskey()
    let added = try await add(second, to: ada, rig)
    let id = added.reply.json["passkeyId"]?.stringValue ?? ""
    #expect(try await rig.send("DELETE", "/auth/passkeys/\(id)", token: bob.token).code == "NOT_FOUND")
    #expect(try await rig.confirmed("DELETE", "/auth/passkeys/\(id)", by: ada, node: 2).status == 204)
    #expect(try await signIn(second, rig).code == "PASSKEY_REJECTED")
    #expect(try await signIn(ada.passkey, rig).status == 200)
    let left = try await rig.send("GET", "/auth/passkeys", token: ada.token).texts("passkeys", "passkeyId")
    #expect(left.count == 1)
    let last = try await rig.send("DELETE", "/auth/passkeys/\(left.first ?? "")", token: ada.token)
    #expect(last.status == 409)
    #expect(last.code == "LAST_PASSKEY")
    #expect(rig.cloud.violations == [])
  }

  @Test("sessions are listed newest first with the caller's marked, and end one by one")
  func sessions() async throws {
    let rig = try Rig()
    let (ada, bob) = (try await rig.person("ada"), try await rig.person("bob"))
    await rig.clock.advance(by: 90)
    let phone = try await signIn(ada.passkey, rig)
    let token = phone.json["accessToken"]?.stringValue
    let list = try await rig.send("GET", "/auth/sessions", token: ada.token, node: 1)
    let ids = list.texts("sessions", "sessionId")
    #expect(ids.count == 2)
    #expect(ids.first == phone.json["sessionId"]?.stringValue)
    #expect(list.json["sessions"]?.arrayValue?.map { $0["current"] } == [false, true])
    #expect(list.json["sessions"]?[1]?["lastSeenAt"] == 1_790_000_040_000)
    #expect(list.json["sessions"]?[0]?["expiresAt"] == phone.json["refreshExpiresAt"])
    #expect(list.json["sessions"]?[0]?["scopes"] == ["all"])
    let first = try await rig.send("GET", "/auth/sessions?limit=1", token: ada.token)
    let cursor = first.json["nextCursor"]?.stringValue ?? ""
    let second = try await rig.send("GET", "/auth/sessions?limit=1&cursor=\(cursor)", token: ada.token)
    #expect(first.texts("sessions", "sessionId") + second.texts("sessions", "sessionId") == ids)
    let path = "/auth/sessions/\(ids.first ?? "")"
    #expect(try await rig.send("DELETE", path, token: bob.token).code == "NOT_FOUND")
    #expect(try await rig.send("DELETE", path, token: ada.token).status == 204)
    #expect(try await rig.send("GET", "/auth/session", token: token, node: 2).code == "TOKEN_REVOKED")
    #expect(try await rig.send("DELETE", path, token: ada.token, node: 1).status == 204)
    let left = try await rig.send("GET", "/auth/sessions", token: ada.token)
    #expect(left.texts("sessions", "sessionId") == [ids.last])
    #expect(rig.cloud.violations == [])
  }
}
