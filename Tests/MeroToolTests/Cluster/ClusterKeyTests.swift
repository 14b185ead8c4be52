import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("The tool at a cluster: API keys", .timeLimit(.minutes(5)))
struct ClusterKeyTests {
  @Test("a key's secret is in a file for its owner alone and nowhere else, and a machine acts with it")
  func keys() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner(of: "com.calimero.probe")
      let file = ada.folder.appendingPathComponent("bot.key").path
      let scopes = ["--scope", "apps:view", "--scope", "apps:events", "--app", app, "--valid-for", "3600"]
      let made = await ada.run(["keys", "create", "bot", "--to", file, "--json"] + scopes + ada.nodes)
      #expect(made.status == ExitCode.success, "\(made.told)")
      #expect(try ClusterPerson.mode(file) == 0o600)
      let secret = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
      #expect(secret.hasPrefix("cmk_"))
      let json = try made.json()
      let id = try #require(json["keyId"]?.stringValue)
      #expect(json["file"]?.stringValue == file)
      #expect(json["scopes"] == ["apps:view", "apps:events"])
      #expect(json["expiresAt"]?.int64 != nil)
      #expect(await ada.run("keys").text == "\(id)  bot  apps:view apps:events")

      // Somebody without a session, in each of the ways a key is handed over.
      let bot = rig.person("bot")
      #expect(await bot.run("view", app, "look", "--api-key", file).text == "{}")
      #expect(await bot.run("view", app, "look", "--api-key", "-", input: secret + "\n").status == 0)
      let variable = ["MERO_API_KEY": secret]
      #expect(await bot.run("view", app, "look", environment: variable).status == ExitCode.success)
      let me = try await bot.run("whoami", "--json", environment: variable).json()
      #expect(me["kind"] == "apiKey")
      #expect(FileManager.default.fileExists(atPath: bot.session.path) == false)
      let denied = await bot.run("call", app, "put", environment: variable)
      #expect(denied.status == 4)
      #expect(denied.told.contains("SCOPE_MISSING"))
      #expect(await bot.run("signout", environment: variable).status == ExitCode.usage)

      #expect(await ada.run("keys", "revoke", id).text == "revoked")
      #expect(await bot.run("view", app, "look", environment: variable).status == 3)
      for person in [ada, bot] { #expect(!person.everything.contains(secret)) }
    }
  }

  @Test("a key is made only where its secret can be kept, and no older file is replaced")
  func places() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      let taken = try ada.file("taken", "older".utf8)
      for place in [taken, "/nowhere/key"] {
        let refused = await ada.run("keys", "create", "bot", "--scope", "apps:view", "--to", place)
        #expect(refused.status == ExitCode.failure)
        #expect(refused.told.contains(place))
      }
      #expect(try String(contentsOfFile: taken, encoding: .utf8) == "older")
      #expect(rig.cloud.log.requests("auth_key_create").isEmpty)

      // What the cluster refuses leaves no empty file behind.
      let file = ada.folder.appendingPathComponent("bot.key").path
      #expect(await ada.run("keys", "create", "bot", "--scope", "all", "--to", file).status == 4)
      #expect(FileManager.default.fileExists(atPath: file) == false)
      #expect(await ada.run("keys", "list").lines.isEmpty)
    }
  }

  @Test("a key for which no app is named is asked for without a limit, not with one to nothing")
  func unlimited() {
    #expect(ApiKeysCommand.limit([]) == nil)
    #expect(ApiKeysCommand.limit(["app_1"]) == ["app_1"])
  }

  @Test("what is no key is not sent, and not shown")
  func badKeys() async throws {
    try await withClusterTool { rig in
      let bot = rig.person("bot")
      let file = try bot.file("key", "hunter2\n".utf8)
      for words in [["--api-key", file], ["--api-key", "-"]] {
        let refused = await bot.run(["whoami"] + words + bot.nodes, input: "hunter2")
        #expect(refused.status == ExitCode.usage)
      }
      #expect(await bot.run("whoami", environment: ["MERO_API_KEY": "hunter2"]).status == ExitCode.usage)
      #expect(await bot.run("whoami", "--api-key", "/nowhere").status == ExitCode.failure)
      #expect(
        await bot.run("call", "app_x", "echo", "-", "--api-key", "-", input: "cmk_a_b").status
          == ExitCode.usage)
      #expect(rig.cloud.log.outer.isEmpty)
      #expect(!bot.everything.contains("hunter2"))
    }
  }
}
