import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("The tool at a cluster: help, arguments and exit codes", .timeLimit(.minutes(5)))
struct ClusterExitTests {
  @Test("each command explains itself, with the options that all take and what exit codes mean")
  func help() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      for command in ClusterSubcommand.all {
        for flag in ["--help", "-h"] {
          let result = await ada.run([command.name, flag])
          #expect(result.status == ExitCode.success)
          #expect(result.text.hasPrefix("usage: mero \(command.name)"))
          #expect(result.text.contains("--passkeys FILE"))
          for code in 0...7 { #expect(result.text.contains(" \(code) when"), "\(code)") }
          for option in command.flags.union(command.values) { #expect(command.help.contains(option)) }
          #expect(result.text.split(separator: "\n").allSatisfy { $0.count <= 130 })
        }
        #expect(Command.help.contains("  \(command.name) "))
      }
      #expect(rig.cloud.log.outer.isEmpty)
    }
  }

  @Test(
    "arguments that do not fit are told apart, before anything is sent",
    arguments: [
      "signup", "signup a b", "signup ada --bogus", "signin a b", "signout x", "whoami x", "orgs nope",
      "orgs create", "orgs invite org --role king", "orgs invite org --valid-for 0",
      "orgs invite org --valid-for 99999999999999999999", "orgs invite org --valid-for 9223372036854775807",
      "orgs join", "orgs join a --invite b", "orgs list --invite b", "apps create x", "apps create x --org o",
      "apps show",
      "apps create x --org o --package p --args {",
      "call app", "call app method {", "call app method 1", "call app method {} more",
      "call app method --if-seq -1",
      "view app", "view app method {} more", "view app method --min-seq x", "events", "events a b",
      "events app --count 0", "events app --follow --count 2", "presence", "presence app {",
      "presence app null",
      "blobs", "blobs put app", "blobs get app id", "blobs list", "blobs nope app", "keys create",
      "keys create bot", "keys create bot --scope apps:view", "keys nope", "keys create bot --to",
      "keys create bot --scope apps:view --to /tmp/never --valid-for 18446744073709551615",
      "whoami --node ftp://node", "whoami --node http://a@b/", "whoami --json=yes",
    ])
  func usage(_ line: String) async throws {
    try await withClusterTool { rig in
      let words = line.split(separator: " ").map(String.init)
      let result = await rig.person("ada").run(
        words + (line.contains("--node") ? [] : rig.person("ada").nodes))
      #expect(result.status == ExitCode.usage, "\(result.told)")
      #expect(result.lines.isEmpty)
      #expect(result.told.contains("mero \(words[0])"))
      #expect(rig.cloud.log.outer.isEmpty)
    }
  }

  @Test("the next node is asked when the first is away; when all are away or busy it is 5")
  func unreachable() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner(of: "com.calimero.probe")
      await rig.local.stopNode(0)
      #expect(await ada.run("call", app, "echo").status == ExitCode.success)
      rig.cloud.nodes[1].answer(503, "OVERLOADED", times: 1)
      #expect(await ada.run("view", app, "look").status == ExitCode.success)
      await rig.local.stopNode(1)
      await rig.local.stopNode(2)
      let away = await ada.run("call", app, "echo")
      #expect(away.status == 5)
      #expect(away.lines.isEmpty)
      #expect(away.told.contains(rig.urls[2]))
    }
  }

  @Test("a call whose outcome nobody knows is 6, and can be repeated by the key that it names")
  func unknownOutcome() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner(of: "com.calimero.probe")
      for node in rig.cloud.nodes { node.loseAnswer(times: 100, operation: "app_call") }
      let lost = await ada.run("call", app, "echo", #"{"n":1}"#)
      #expect(lost.status == 6)
      let key = try #require(lost.told.components(separatedBy: "--key ").last)
      for node in rig.cloud.nodes { await node.clearFaults() }
      let again = await ada.run("call", app, "echo", #"{"n":1}"#, "--key", key, "--json")
      #expect(again.status == ExitCode.success)
      #expect(try again.json()["replayed"] == true)
      #expect(rig.cloud.runs(of: "echo", in: app) == 1)

      // Nobody knows either where a node failed.
      for node in rig.cloud.nodes { node.answer(500, "INTERNAL", times: 100, operation: "org_delete") }
      #expect(await ada.run("orgs", "delete", "org_x").status == 6)
    }
  }

  @Test("nodes that cannot be trusted are 7, and nothing is sent to them")
  func untrusted() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      for node in rig.cloud.nodes { node.badQuote(.wrongKey) }
      let refused = await ada.run("signup", "ada")
      #expect(refused.status == 7)
      #expect(refused.told.contains("could not be trusted"))
      #expect(rig.cloud.log.inner.isEmpty)
      // A mock quote proves nothing about another machine, whatever one says.
      let elsewhere = FakeCloud(nodes: 1)
      elsewhere.rememberOrigins([try #require(URL(string: "https://node.example"))])
      let words = ["signup", "ada", "--node", "node.example"]
      for more in [[], ["--development"]] {
        #expect(await ada.run(words + more, transport: elsewhere.transport).status == 7)
      }
      #expect(elsewhere.log.inner.isEmpty)
    }
  }

  @Test("a session that the cluster ended is 3, and so is one whose account is suspended or not")
  func ended() async throws {
    try await withClusterTool { rig in
      let (ada, _, _) = try await rig.owner()
      rig.cloud.revokeSessions(of: "ada")
      let ended = await ada.run("whoami")
      #expect(ended.status == 3)
      #expect(ended.told.contains("mero signin"))
      #expect(await ada.run("signin").status == ExitCode.success)
      rig.cloud.suspend(account: "ada")
      #expect(await ada.run("whoami").status == 4)
    }
  }

  @Test(
    "an age that no number of milliseconds can hold does not end the program", arguments: [0.5, -1, 1e300])
  func hugeAge(age: Double) {
    let entry = CalimeroClient.PresenceEntry<JSONValue>(
      accountId: "acc_1", sessionId: "ses_1", name: nil, state: nil, age: age, isMine: false)
    let shown = PresenceCommand.object(entry)["ageMs"]?.int64
    #expect(shown == (age == 0.5 ? 500 : age < 0 ? 0 : 1_000_000_000_000_000))
  }

  @Test("what errors mean to a script")
  func codes() {
    let refusal = { (status: Int, code: String) in
      CalimeroError.api(APIError(status: status, code: ErrorCode(rawValue: code), message: ""))
    }
    let unreachable = CalimeroError.unreachable(Unreachable(failures: []))
    let unknown = CalimeroError.unknownOutcome(UnknownOutcome(cause: "lost"))
    let table: [(CalimeroError, Int32)] = [
      (.signedOut(.never), 3), (refusal(401, "UNAUTHENTICATED"), 3), (refusal(404, "NOT_FOUND"), 4),
      (refusal(429, "RATE_LIMITED"), 5), (refusal(500, "INTERNAL"), 6), (refusal(504, "TIMEOUT"), 6),
      (unreachable, 5), (unknown, 6),
      (.unknownOutcome(UnknownOutcome(cause: "lost", changesNothing: true)), 5), (.confirm(.declined), 4),
      (.invalidInput("no"), 2),
      (.localFailure("the disk is full"), 1), (.integrity("x"), 1), (.cancelled, 1),
      (.channel(ChannelFailure(reason: "x")), 7),
    ]
    for (error, code) in table { #expect(ClusterSubcommand.exitCode(error) == code, "\(error)") }
  }
}
