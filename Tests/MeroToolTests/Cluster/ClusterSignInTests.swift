import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("The tool at a cluster: signing in", .timeLimit(.minutes(5)))
struct ClusterSignInTests {
  @Test("a sign-up keeps passkey and session in files for their owner alone, and neither is ever shown")
  func signUp() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      let made = await ada.run("signup", "ada", "--display-name", "Ada L.")
      #expect(made.status == ExitCode.success)
      #expect(made.text.hasPrefix("signed in as ada  acc_"))
      for file in [ada.session, ada.passkeys] { #expect(try ClusterPerson.mode(file.path) == 0o600) }
      let folder = ada.session.deletingLastPathComponent().path
      #expect(try ClusterPerson.mode(folder) == 0o700)

      let me = await ada.run("whoami")
      #expect(me.text.hasPrefix("ada  acc_"))
      let json = try await ada.run("whoami", "--json").json()
      #expect(json["name"] == "ada")
      #expect(json["accountId"]?.stringValue?.hasPrefix("acc_") == true)

      let session = try JSONValue(parsing: Data(contentsOf: ada.session))
      let passkeys = try JSONValue(parsing: Data(contentsOf: ada.passkeys))
      let secrets = [
        session["session"]?["accessToken"], session["session"]?["refreshToken"],
        passkeys["credentials"]?[0]?["privateKey"],
      ]
      for secret in secrets {
        let text = try #require(secret?.stringValue)
        #expect(!ada.everything.contains(text))
      }
    }
  }

  @Test("signing in again ends the session there was, and a passkey that is refused is a refusal")
  func again() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      #expect(await ada.run("signin", "ada").status == ExitCode.success)
      #expect(rig.cloud.log.requests("auth_signout").map(\.status) == [204])
      #expect(await ada.run("whoami").status == ExitCode.success)
      for node in rig.cloud.nodes { node.answer(401, "PASSKEY_REJECTED", operation: "auth_signin_finish") }
      let refused = await ada.run("signin", "ada")
      #expect(refused.status == 4)
      #expect(!refused.told.contains("mero signin,"))
      #expect(refused.told.contains("mero signup NAME"))
    }
  }

  @Test("a sign-out ends the session here and at the cluster, and the passkey signs in again")
  func signOut() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      let left = await ada.run("signout")
      #expect(left.text == "ada is signed out")
      #expect(FileManager.default.fileExists(atPath: ada.session.path) == false)
      #expect(rig.cloud.log.requests("auth_signout").map(\.status) == [204])
      #expect(try await ada.run("signout", "--json").json()["signedOut"] == false)

      let nobody = await ada.run("whoami")
      #expect(nobody.status == 3)
      #expect(nobody.told.contains("mero signin"))
      #expect(nobody.lines.isEmpty)
      #expect(await ada.run("orgs").status == 3)

      let back = await ada.run("signin", "--json")
      #expect(back.status == ExitCode.success)
      #expect(try back.json()["name"] == "ada")
      #expect(await ada.run("signin", "ada").status == ExitCode.success)
    }
  }

  @Test("one file of passkeys holds several accounts, and a name chooses among them")
  func severalAccounts() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      #expect(await ada.run("signup", "grace").status == ExitCode.success)
      #expect(await ada.run("whoami").text.hasPrefix("grace"))
      #expect(await ada.run("signin", "ada").status == ExitCode.success)
      #expect(await ada.run("whoami").text.hasPrefix("ada"))
      #expect(await ada.run("signin").text.contains("grace"))
    }
  }

  @Test("a taken name, a name nobody can have, and a passkey that is not there are told apart")
  func refusals() async throws {
    try await withClusterTool { rig in
      try await rig.person("ada").signUp()
      let other = rig.person("other")
      let taken = await other.run("signup", "ada")
      #expect(taken.status == 4)
      #expect(taken.told.contains("NAME_TAKEN"))
      // A refused sign-up leaves no passkey that a later sign-in would try.
      #expect(FileManager.default.fileExists(atPath: other.passkeys.path) == false)
      #expect(await other.run("signup", "No Name").status == ExitCode.usage)
      let missing = await other.run("signin")
      #expect(missing.status == ExitCode.failure)
      #expect(missing.told.contains("--passkeys"))
    }
  }

  @Test("a cluster that wants an invitation gets its code from a file or the standard input")
  func invited() async throws {
    try await withClusterTool(FakeCloud(signup: .invite)) { rig in
      rig.cloud.admit(invite: "welcome-code")
      let ada = rig.person("ada")
      #expect(await ada.run("signup", "ada").status == 4)
      #expect(await ada.run("signup", "ada", "--invite", "-", input: "welcome-code\n").status == 0)
      rig.cloud.admit(invite: "second-code")
      let file = try ada.file("code", "second-code\n".utf8)
      #expect(await ada.run("signup", "grace", "--invite", file).status == ExitCode.success)
      #expect(await ada.run("signup", "alan", "--invite", "/nowhere").status == ExitCode.failure)
      #expect(!ada.everything.contains("welcome-code"))
    }
  }

  @Test("a session of a cluster that is there no more is no hindrance to an account at the next one")
  func otherCluster() async throws {
    try await withClusterTool { old in
      let ada = old.person("ada")
      try await ada.signUp()
      try await withClusterTool { new in
        let nodes = new.urls.flatMap { ["--node", $0] }
        let stale = await ada.run(["whoami"] + nodes)
        #expect(stale.status == 7)
        #expect(stale.told.contains("is of another cluster"))
        let back = await ada.run(["signin", "ada"] + nodes)
        #expect(back.status == ExitCode.failure)
        #expect(back.told.contains("mero signup NAME"))
        let made = await ada.run(["signup", "ada"] + nodes)
        #expect(made.status == ExitCode.success, "\(made.told)")
        #expect(await ada.run(["whoami"] + nodes).status == ExitCode.success)
        // The node is that of the session from now on.
        #expect(await ada.run(["whoami"]).status == ExitCode.success)
      }
    }
  }

  @Test("files of passkeys that cannot be used are named, kept as they are, and a failure")
  func badPasskeys() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      let file = try ada.file("keys.json", "my diary".utf8)
      let refused = await ada.run("signup", "ada", "--passkeys", file)
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains(file))
      #expect(!refused.told.contains("diary"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "my diary")
    }
  }

  @Test("a file that holds something else than a session is named, and neither replaced nor removed")
  func badSession() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      for (name, text) in [("notes.txt", "my diary"), ("notes.json", #"{"my":"diary"}"#)] {
        let file = try ada.file(name, text.utf8)
        for word in ["whoami", "signin", "signout"] {
          let refused = await ada.run(word, "--session", file)
          #expect(refused.status == ExitCode.failure)
          #expect(refused.told.contains(file))
          #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
      }
      let empty = try ada.file("empty", "".utf8)
      #expect(await ada.run("signin", "--session", empty).status == ExitCode.success)
      #expect(await ada.run("signout", "--session", empty).status == ExitCode.success)
      #expect(!FileManager.default.fileExists(atPath: empty))
    }
  }

  @Test("processes that share a session whose access token is old renew it once between them")
  func sharedSession() async throws {
    let clock = FakeClock()
    try await withClusterTool(FakeCloud(clock: clock.clock)) { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      let words = ["whoami"] + ada.nodes + ["--session", ada.session.path, "--passkeys", ada.passkeys.path]
      for _ in 0..<2 {
        // Longer than an access token is good.
        clock.jump(by: 3600)
        let before = rig.cloud.log.requests("auth_refresh").filter { $0.status == 200 }.count
        let processes = try (0..<4).map { _ in try ToolProcess(words) }
        for process in processes { #expect(await process.end() == .exited(0)) }
        let after = rig.cloud.log.requests("auth_refresh").filter { $0.status == 200 }.count
        #expect(after == before + 1)
      }
      #expect(await ada.run("whoami").status == ExitCode.success)
    }
  }
}
