import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("The tool at a cluster: what is kept beside a session", .timeLimit(.minutes(5)))
struct ClusterSessionFileTests {
  @Test(
    "a file that --session names and that holds something else is left as it is",
    arguments: ["signin", "signout", "whoami", "signup ada2", "orgs"])
  func foreignFile(command: String) async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      let file = try ada.file("notes.txt", "precious".utf8)
      let words = command.split(separator: " ").map(String.init)
      let result = await ada.run(words + ["--session", file] + ada.nodes)
      #expect(result.status == ExitCode.failure)
      #expect(result.told.contains("something else than a session"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
      // Nobody was asked.
      #expect(rig.cloud.log.requests("auth_signin_begin").isEmpty)
    }
  }

  @Test("an empty file, as mktemp makes it, takes a session")
  func emptyFile() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      let file = try ada.file("session", Data())
      #expect(await ada.run("signup", "ada", "--session", file).status == ExitCode.success)
      #expect(await ada.run("whoami", "--session", file).status == ExitCode.success)
    }
  }

  @Test("the cluster's other nodes are remembered, and asked when the one that signed the person in is away")
  func otherNodes() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      // Without a node named, as where the standard one is used; here the session says which one that is.
      #expect(await ada.run(["signup", "ada", "--node", rig.urls[0]]).status == ExitCode.success)
      #expect(await ada.run(["whoami"]).status == ExitCode.success)
      rig.cloud.nodes[0].refuse()
      let found = await ada.run(["whoami"])
      #expect(found.status == ExitCode.success, "\(found.told)")
      #expect(rig.cloud.log.requests("auth_session_get").last?.node != 0)
      // What is no node's address among them keeps nobody from the others.
      let file = ada.session.path + ".nodes"
      let kept = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: file)))
      let nodes =
        ["file:///x", "http://user:word@127.0.0.1:1"]
        + (kept["nodes"]?.arrayValue ?? []).compactMap(\.stringValue)
      let changed: JSONValue = [
        "clusterId": kept["clusterId"] ?? .null, "nodes": .array(nodes.map { .string($0) }),
      ]
      try changed.data().write(to: URL(fileURLWithPath: file))
      #expect(await ada.run(["whoami"]).status == ExitCode.success)
    }
  }

  @Test("nodes of another cluster are not asked, and what is remembered of them is replaced")
  func otherCluster() async throws {
    try await withClusterTool { old in
      let ada = old.person("ada")
      #expect(await ada.run(["signup", "ada", "--node", old.urls[0]]).status == ExitCode.success)
      #expect(await ada.run(["whoami"]).status == ExitCode.success)
      try await withClusterTool { new in
        #expect(await ada.run(["signup", "ada", "--node", new.urls[0]]).status == ExitCode.success)
        let asked = old.cloud.log.outer.count
        #expect(await ada.run(["whoami"]).status == ExitCode.success)
        new.cloud.nodes[0].refuse()
        #expect(await ada.run(["whoami"]).status == ExitCode.success)
        #expect(old.cloud.log.outer.count == asked)
      }
    }
  }

  @Test("an API key is refused where a session is to begin, and is told when it is good no more")
  func apiKey() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let key = ada.folder.appendingPathComponent("key").path
      let made = await ada.run("keys", "create", "bot", "--scope", "apps:view", "--to", key, "--json")
      for command in ["signin", "signup grace"] {
        let words = command.split(separator: " ").map(String.init)
        #expect(await ada.run(words + ["--api-key", key] + ada.nodes).status == ExitCode.usage)
      }
      #expect(await ada.run("whoami").text.hasPrefix("ada"))
      let id = try #require(try made.json()["keyId"]?.stringValue)
      #expect(await ada.run("keys", "revoke", id).status == ExitCode.success)
      let late = await ada.run("view", app, "get_messages", "--api-key", key)
      #expect(late.status == 3)
      #expect(late.told.contains("mero keys create"))
      #expect(!late.told.contains("mero signin"))
    }
  }

  @Test("whoever types a command that is none is told what was typed")
  func misuse() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      let result = await ada.run("orgs", "crate", "Acme")
      #expect(result.status == ExitCode.usage)
      #expect(result.told.contains("“crate Acme” does not fit"))
    }
  }
}
