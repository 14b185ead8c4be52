import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Passkeys in a file")
struct FilePasskeyTests {
  @Test("an account is made with it, and another process signs in with the same file")
  func ceremonies() async throws {
    try await withFile { path in
      let rig = SessionRig()
      let account = try await rig.client().signUp(FilePasskey(path), name: "ada")
      #expect(try await rig.client().signIn(FilePasskey(path)) == account)
      #expect(try await rig.client().signIn(FilePasskey(path), name: "ada") == account)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
      // It is what a passkey in memory exports.
      let kept = try SoftPasskey(exported: try Data(contentsOf: URL(fileURLWithPath: path)))
      #expect(try await rig.client().signIn(kept) == account)
      #expect(rig.cloud.violations.isEmpty)
      #expect(rig.cloud.unfitRequests == [])
    }
  }

  @Test("it confirms what needs a person")
  func confirms() async throws {
    try await withFile { path in
      let rig = SessionRig()
      let passkey = FilePasskey(path)
      let client = rig.client { $0.passkey = passkey }
      try await client.signUp(passkey, name: "ada")
      let org = try await client.orgs.create(name: "Acme").orgId
      try await client.orgs.delete(org: org)
      #expect(try await client.orgs.list().orgs.isEmpty)
    }
  }

  @Test("its counter is in the file before a signature is used, whoever signs at the same time")
  func counters() async throws {
    try await withFile { path in
      let rig = SessionRig()
      try await rig.client().signUp(FilePasskey(path), name: "ada")
      let before = try counter(path)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try await rig.client().signIn(FilePasskey(path)) } }
        try await group.waitForAll()
      }
      #expect(try counter(path) == before + 8)
    }
  }

  @Test("two accounts made at the same time are both kept")
  func together() async throws {
    try await withFile { path in
      let rig = SessionRig()
      async let ada = rig.client().signUp(FilePasskey(path), name: "ada")
      async let grace = rig.client().signUp(FilePasskey(path), name: "grace")
      _ = try await (ada, grace)
      for name in ["ada", "grace"] {
        #expect(try await rig.client().signIn(FilePasskey(path), name: name).name == name)
      }
    }
  }

  @Test("a process that holds its lock and does not go on is not waited for without end")
  func stoppedHolder() async throws {
    try await withFile { path in
      let rig = SessionRig()
      let holder = try await FileLock.acquire(path + ".lock")
      await #expect {
        try await rig.client().signUp(FilePasskey(path, patience: 0.01), name: "ada")
      } throws: {
        "\($0)".contains("another process has held its lock")
      }
      holder.release()
      try await rig.client().signUp(FilePasskey(path, patience: 60), name: "ada")
    }
  }

  @Test("without a file there is no passkey, and none is made by looking for one")
  func missing() async throws {
    try await withFile { path in
      let rig = SessionRig()
      await #expect(throws: CalimeroError.passkey(.noCredential)) {
        try await rig.client().signIn(FilePasskey(path))
      }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("something else under its name is refused and kept", arguments: [8, 2 << 20])
  func somethingElse(size: Int) async throws {
    try await withFile { path in
      let rig = SessionRig()
      let url = URL(fileURLWithPath: path)
      let diary = Data(repeating: UInt8(ascii: "d"), count: size)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try diary.write(to: url)
      await #expect {
        try await rig.client().signUp(FilePasskey(path), name: "ada")
      } throws: {
        if case CalimeroError.passkey(.other(let text)) = $0 { text.contains(path) } else { false }
      }
      #expect(try Data(contentsOf: url) == diary)
    }
  }

  @Test("a passkey that could not be kept makes no account")
  func unwritable() async throws {
    try await withFile { path in
      let rig = SessionRig()
      // A folder stands where the file would.
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      await #expect(throws: CalimeroError.self) {
        try await rig.client().signUp(FilePasskey(path), name: "ada")
      }
      #expect(rig.cloud.log.requests("auth_signup_finish").isEmpty)
    }
  }

  private func counter(_ path: String) throws -> Int64 {
    let json = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: path)))
    return try #require(json["credentials"]?[0]?["counter"]?.int64)
  }

  private func withFile(_ test: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "passkeys-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder.appendingPathComponent("kept/passkeys.json").path)
  }
}
