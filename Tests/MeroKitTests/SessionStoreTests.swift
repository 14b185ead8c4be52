import Foundation
import MeroAPI
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("Where a session is kept")
struct SessionStoreTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("sessions-\(UInt64.random(in: .min ... .max))").path

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body("\(folder)/a/session.json")
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue & 0o777
  }

  @Test("a process that holds the lock and does not go on is not waited for without end")
  func stoppedHolder() async throws {
    try await inFolder { path in
      let holder = try await FileLock.acquire(path + ".lock")
      await #expect {
        try await FileSessionStore(path, patience: 0.01).withLock {}
      } throws: {
        "\($0)".contains("another process has held its lock")
      }
      holder.release()
      try await FileSessionStore(path, patience: 60).withLock {}
    }
  }

  @Test("memory gives back what it was given, until it is cleared")
  func memory() async throws {
    let store = MemorySessionStore()
    #expect(await store.load() == nil)
    await store.save(SessionSamples.stored(1))
    #expect(await store.load() == SessionSamples.stored(1))
    await store.clear()
    #expect(await store.load() == nil)
  }

  @Test("a file gives back what it was given, to another store over it too")
  func file() async throws {
    try await inFolder { path in
      let store = FileSessionStore(path)
      #expect(try store.load() == nil)
      try store.save(SessionSamples.stored(1))
      try store.save(SessionSamples.stored(2))
      #expect(try FileSessionStore(path).load() == SessionSamples.stored(2))
      try store.clear()
      try store.clear()
      #expect(try store.load() == nil)
    }
  }

  @Test("only the owner can read the file and its folder, and no temporary file stays")
  func modes() async throws {
    try await inFolder { path in
      try FileSessionStore(path).save(SessionSamples.stored(1))
      #expect(try mode(path) == 0o600)
      #expect(try mode("\(folder)/a") == 0o700)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/a") == ["session.json"])
    }
  }

  @Test("an existing file that others could read is replaced by a private one")
  func looseFile() async throws {
    try await inFolder { path in
      try FileManager.default.createDirectory(atPath: "\(folder)/a", withIntermediateDirectories: true)
      _ = FileManager.default.createFile(
        atPath: path, contents: Data("{}".utf8), attributes: [.posixPermissions: 0o644])
      try FileSessionStore(path).save(SessionSamples.stored(1))
      #expect(try mode(path) == 0o600)
    }
  }

  @Test(
    "a record that cannot be understood counts as none and is overwritten",
    arguments: ["", "{", "[]", "{\"version\":1}", "\u{0}\u{1}"])
  func corrupt(text: String) async throws {
    try await inFolder { path in
      let store = FileSessionStore(path)
      try store.save(SessionSamples.stored(1))
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(try store.load() == nil)
      try store.save(SessionSamples.stored(2))
      #expect(try store.load() == SessionSamples.stored(2))
    }
  }

  @Test("what is no file is refused by name at once, and nobody waits for a pipe to be written to")
  func noFile() async throws {
    try await inFolder { path in
      let store = FileSessionStore(path)
      try store.save(SessionSamples.stored(1))
      try store.clear()
      #expect(mkfifo(path, 0o600) == 0)
      let pipe = #expect(throws: FileFailure.self) { try store.load() }
      #expect(pipe?.localizedDescription == "\(path): it is no ordinary file")
      try store.clear()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: FileFailure.self) { try store.load() }
    }
  }

  @Test("a record of a later form counts as none")
  func laterForm() throws {
    var record = String(decoding: try SessionSamples.stored(1).record(), as: UTF8.self)
    #expect(StoredSession(record: Data(record.utf8)) == SessionSamples.stored(1))
    record = record.replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
    #expect(StoredSession(record: Data(record.utf8)) == nil)
  }

  @Test("the record has the documented names")
  func recordNames() throws {
    let record = try JSONValue(parsing: try SessionSamples.stored(1).record())
    #expect(record["version"] == 1)
    #expect(record["clusterId"]?.stringValue == SessionSamples.cluster)
    #expect(record["issuedBy"] == "http://127.0.0.1:2501")
    #expect(record["savedAt"]?.int64 == SessionSamples.epoch)
    #expect(record["session"]?["refreshToken"] == "refresh-1")
  }

  @Test("printing a stored session shows no token")
  func printing() {
    let stored = SessionSamples.stored(1)
    var dumped = ""
    dump(stored, to: &dumped)
    for text in ["\(stored)", String(reflecting: stored), dumped, "\(Optional(stored) as Any)"] {
      #expect(!text.contains("access-1") && !text.contains("refresh-1"))
      #expect(text.contains("ses_1"))
    }
  }

  @Test("printing or dumping what the API gives or is given shows none of its secrets")
  func printingAnswers() {
    let session = SessionSamples.session(1)
    let key = Components.Schemas.ApiKeyCreated(
      key: .init(keyId: "key_1", label: "bot", scopes: [], createdAt: 0), secret: "secret-1")
    let invite = Components.Schemas.OrgInviteCreated(
      invite: .init(
        inviteId: "inv_1", orgId: "org_1", role: .member, state: .open, uses: 0, maxUses: 1, expiresAt: 0,
        createdAt: 0, createdBy: "acc_1"),
      code: "secret-1", url: "https://cluster.example/invite#secret-1")
    let values: [Any] = [
      session, key, invite, Optional(session) as Any, [session],
      Operations.AuthRefresh.Output.ok(.init(body: .json(session))),
      Operations.AuthRefresh.Input(body: .json(.init(refreshToken: "refresh-1"))),
      Operations.ConsentToken.Input(
        body: .json(.init(requestId: "crq_1", code: "secret-1", codeVerifier: "secret-1"))),
      Operations.OrgInviteAccept.Input(body: .json(.init(code: "secret-1"))),
      Components.Schemas.ConsentAnswer(redirectUrl: "notes://consent?code=secret-1"),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        for secret in ["access-1", "refresh-1", "secret-1"] { #expect(!text.contains(secret), "\(text)") }
      }
    }
    #expect("\(session)".hasPrefix("Session(sessionId: ses_1, accountId: acc_1, "))
    #expect("\(key)".contains("key_1"))
  }

  @Test("dumping a client or its options shows no key and no token")
  func dumpingClients() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store) { $0.apiKey = "cmk_hidden" }
    await client.useApiKey(nil)
    _ = try await rig.app(client)
    await client.useApiKey("cmk_hidden")
    let token = try #require(await store.load()).session.accessToken
    var options = CalimeroClientOptions(baseUrl: "http://ada:cmk_hidden@localhost")
    options.apiKey = "cmk_hidden"
    let core = client.core
    let values: [Any] = [
      client, options, core, core.settings, core.keeper, try core.pool(), client.orgs, client.blobs("app_1"),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("cmk_hidden") && !text.contains(token), "\(text)")
      }
    }
  }

  @Test("dumping a passkey in software shows nothing of its private key", arguments: [true, false])
  func dumpingPasskeys(isEd25519: Bool) async throws {
    let passkey = SoftPasskey(algorithm: isEd25519 ? .ed25519 : .es256)
    _ = try await passkey.create(
      PasskeyCreationOptions(
        rp: .init(id: "localhost", name: "x"), user: .init(id: "AAAA", name: "ada", displayName: "ada"),
        challenge: "AAAA", pubKeyCredParams: [.init(type: "public-key", alg: isEd25519 ? -8 : -7)],
        authenticatorSelection: .init(residentKey: "required", userVerification: "required"),
        attestation: "none"))
    let exported = try JSONValue(parsing: try await passkey.export())
    let secret = try Base64URL.decode(
      try #require(exported["credentials"]?.arrayValue?.first?["privateKey"]?.stringValue))
    var dumped = ""
    dump(passkey, to: &dumped)
    // A dump writes each byte of an array on a line of its own.
    let bytes = dumped.split(separator: "\n").compactMap { line in
      UInt8(line.trimmingCharacters(in: CharacterSet(charactersIn: " -")))
    }
    let shows = bytes.indices.contains { bytes[$0...].starts(with: secret) }
    #expect(!shows)
    #expect(dumped.contains("localhost"))
  }

  @Test("one holder of the lock at a time, over two stores of one file")
  func exclusion() async throws {
    try await inFolder { path in
      let inside = Locked(0)
      let most = Locked(0)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<20 {
          let store = FileSessionStore(path)
          group.addTask {
            try await store.withLock {
              let now = inside.withLock {
                $0 += 1; return $0
              }
              most.withLock { $0 = max($0, now) }
              for _ in 0..<(index % 5) { await Task.yield() }
              inside.withLock { $0 -= 1 }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(most.withLock { $0 } == 1)
    }
  }

  @Test("waiting for the lock ends as soon as the task is cancelled, and the lock is not lost by it")
  func cancelledWait() async throws {
    try await inFolder { path in
      let store = FileSessionStore(path)
      let holding = Gate()
      let release = Gate()
      let holder = Task {
        try await store.withLock {
          holding.open(); try await release.wait()
        }
      }
      try await holding.wait()
      let waiter = Task { try await store.withLock {} }
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
      release.open()
      try await holder.value
      try await store.withLock {}
    }
  }

  #if os(Linux)
    @Test("the Keychain's name means private files in the user's data folder")
    func privateFolder() {
      func path(_ environment: [String: String], _ name: String = "example") -> String {
        PrivateFolder.path(service: "network.calimero.merokit", name: name, environment: environment)
      }
      #expect(path(["XDG_DATA_HOME": "/d", "HOME": "/h"]) == "/d/network.calimero.merokit/example.json")
      #expect(path(["HOME": "/h"]) == "/h/.local/share/network.calimero.merokit/example.json")
      #expect(path(["XDG_DATA_HOME": "d", "HOME": "/h"]).hasPrefix("/h/"))
      #expect(path(["HOME": "/h"], "../../x").hasSuffix("/%2e.%2f..%2fx.json"))
    }
  #endif
}
