import Foundation
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("mero node: sessions", .timeLimit(.minutes(5)))
struct NodeSessionTests {
  @Test("a login keeps the session in a file for its owner alone, and a logout ends it here and at the node")
  func session() async throws {
    try await withNodeTool { rig in
      let login = await rig.logIn()
      #expect(login.status == ExitCode.success)
      #expect(login.text.contains("logged in to \(rig.url.absoluteString) as ada"))
      let attributes = try FileManager.default.attributesOfItem(atPath: rig.session)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let folder = try FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: rig.session).deletingLastPathComponent().path)
      #expect((folder[.posixPermissions] as? NSNumber)?.intValue == 0o700)

      let token = try #require(
        try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: rig.session)))["access_token"]?
          .stringValue)
      #expect(await rig.run("contexts").status == ExitCode.success)
      #expect(await rig.run("logout", "--json").status == ExitCode.success)
      #expect(FileManager.default.fileExists(atPath: rig.session) == false)
      #expect(rig.local.node.logoutCalls == 1)
      let after = await rig.run("contexts")
      #expect(after.status == ExitCode.failure)
      #expect(after.told.contains("there is no session with"))
      #expect(await rig.run("logout").text.contains("there was no session"))

      #expect(!rig.everything.contains(NodeToolRig.password))
      #expect(!rig.everything.contains(token))
      #expect(!rig.everything.contains("eyJ"))
    }
  }

  @Test(
    "the password comes from a file, the standard input, or a person who is asked, and never from an argument"
  )
  func passwords() async throws {
    try await withNodeTool { rig in
      let file = try rig.file("password", "\(NodeToolRig.password)\r\nsomething else\n".utf8)
      #expect(await rig.run("login", "--user", "ada", "--password-file", file).status == ExitCode.success)
      #expect(
        await rig.run("login", "--user", "ada", "--password-file", "-", input: NodeToolRig.password).status
          == ExitCode.success)
      let words = ["login", "--user", "ada", "--node", rig.url.absoluteString, "--session", rig.session]
      let asked = rig.surroundings(ask: { prompt in
        #expect(prompt.contains("ada"))
        return NodeToolRig.password
      })
      #expect(await rig.run(words, in: asked).status == ExitCode.success)
      #expect(await rig.run("login", "--user", "ada", "--password", "x").status == ExitCode.usage)
      #expect(await rig.run("login", "--user", "ada", NodeToolRig.password).status == ExitCode.usage)
      #expect(await rig.run("login", "--user", "ada", input: "").status == ExitCode.failure)
      #expect(
        await rig.run("login", "--user", "ada", "--password-file", "/nowhere").status == ExitCode.failure)
    }
  }

  @Test("a wrong password is refused, and an older session stays")
  func wrong() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let refused = await rig.run("login", "--user", "ada", input: "not the password\n")
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains("the login was refused"))
      #expect(!refused.told.contains("not the password"))
      #expect(await rig.run("contexts").status == ExitCode.success)
    }
  }

  @Test("without --node the session's node is asked, and a session is never used with another node")
  func node() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let remembered = await rig.run(["contexts", "--session", rig.session], in: rig.surroundings())
      #expect(remembered.status == ExitCode.success)
      let other = FakeNode(url: "http://localhost:1")
      let elsewhere = await rig.run(
        ["contexts", "--session", rig.session, "--node", "http://localhost:1"],
        in: rig.surroundings(transport: other.transport))
      #expect(elsewhere.status == ExitCode.failure)
      #expect(elsewhere.told.contains("there is no session with http://localhost:1"))
      // Leaving a node one has no session with must not end the one there is.
      let left = await rig.run(
        ["logout", "--session", rig.session, "--node", "http://localhost:1"],
        in: rig.surroundings(transport: other.transport))
      #expect(left.status == ExitCode.success)
      #expect(other.log.isEmpty)
      #expect(await rig.run("contexts").status == ExitCode.success)
    }
  }

  @Test("the standard place of a session is the user's data folder")
  func place() {
    let name = "network.calimero.merokit/node-session.json"
    #expect(NodeSessionFile.standardPath(["XDG_DATA_HOME": "/data", "HOME": "/h"]) == "/data/\(name)")
    #expect(
      NodeSessionFile.standardPath(["XDG_DATA_HOME": "data", "HOME": "/h"]) == "/h/.local/share/\(name)")
  }

  @Test("a session that the node has ended is forgotten, and one that is old is renewed and kept")
  func renewal() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let before = try Data(contentsOf: URL(fileURLWithPath: rig.session))
      rig.local.node.expireAccessToken()
      #expect(await rig.run("contexts").status == ExitCode.success)
      let after = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: rig.session)))
      #expect(after["node_url"]?.stringValue == rig.url.absoluteString)
      #expect(try JSONValue(parsing: before)["access_token"] != after["access_token"])
      rig.local.node.revokeFamily()
      let revoked = await rig.run("contexts")
      #expect(revoked.status == ExitCode.failure)
      #expect(revoked.told.contains("log in again"))
      #expect(FileManager.default.fileExists(atPath: rig.session) == false)
    }
  }

  @Test("a login in a browser: the address is printed, and what the page led to is taken from a file")
  func browser() async throws {
    try await withNodeTool { rig in
      let printed = await rig.run(
        "login", "--print-url", "--callback", "http://localhost:3000/", "--mode", "admin")
      #expect(
        printed.text.hasPrefix("\(rig.url.absoluteString)/auth/login?callback-url=http%3A%2F%2Flocalhost"))
      #expect(rig.local.node.log.isEmpty)

      let tokens = rig.local.node.makeSession()
      func callback(_ node: String) throws -> String {
        try rig.file(
          "callback",
          "http://localhost:3000/#access_token=\(tokens.accessToken)&refresh_token=\(tokens.refreshToken)&node_url=\(node)"
            .utf8)
      }
      let foreign = await rig.run("login", "--callback-file", try callback("http%3A%2F%2Fevil.example"))
      #expect(foreign.status == ExitCode.failure)
      #expect(foreign.told.contains("of another node"))
      #expect(FileManager.default.fileExists(atPath: rig.session) == false)
      #expect(await rig.run("login", "--callback-file", "-", input: "http://localhost:3000/#").status == 1)
      let taken = await rig.run("login", "--callback-file", try callback(rig.url.absoluteString))
      #expect(taken.status == ExitCode.success)
      #expect(await rig.run("contexts").status == ExitCode.success)
      #expect(!rig.everything.contains(tokens.accessToken))
    }
  }

  @Test(
    "arguments that do not fit are told apart from work that failed",
    arguments: [
      [], ["nope"], ["login"], ["login", "--user", ""], ["login", "--user", "a", "--print-url"],
      ["login", "--print-url"], ["contexts", "--bogus"], ["contexts", "extra"], ["call", "onlycontext"],
      ["call", "c", "m", "not json"], ["call", "c", "m", "[1]"], ["events"], ["events", "c", "--count", "0"],
      ["events", "c", "--follow", "--count", "2"], ["invite"], ["invite", "g", "--valid-for", "0"], ["join"],
      ["blobs"], ["blobs", "put"], ["blobs", "nope"], ["contexts", "--node", "ftp://node"],
      ["contexts", "--node", "http://a@b/"], ["logout", "x"],
    ])
  func usage(_ words: [String]) async throws {
    try await withNodeTool { rig in
      let result = await rig.run(words, in: rig.surroundings())
      #expect(result.status == ExitCode.usage)
      #expect(result.lines.isEmpty)
      #expect(!result.told.isEmpty)
    }
  }

  @Test("each subcommand explains itself, with its exit codes")
  func help() async throws {
    try await withNodeTool { rig in
      for command in NodeCommand.all {
        let result = await rig.run([command.name, "--help"], in: rig.surroundings())
        #expect(result.status == ExitCode.success)
        #expect(result.text.contains("usage: mero node \(command.name)"))
        #expect(result.text.contains("exit code"))
      }
      #expect(await rig.run(["--help"], in: rig.surroundings()).text.contains("blobs"))
    }
  }

  @Test(
    "a node's address is typed as people do",
    arguments: [
      ("node.example", "https://node.example"), ("localhost:2428", "http://localhost:2428"),
      (" http://127.0.0.1:1/n ", "http://127.0.0.1:1/n"), ("127.0.0.1", "http://127.0.0.1"),
    ])
  func addresses(_ typed: String, _ address: String) throws {
    #expect(try NodeInvocation.address(typed).absoluteString == address)
  }

  @Test("a cleartext node elsewhere is refused before anything is sent, unless that is asked for")
  func cleartext() async throws {
    try await withNodeTool { rig in
      let node = FakeNode(url: "http://node.example")
      let words = [
        "login", "--user", FakeNode.username, "--node", "http://node.example", "--session", rig.session,
      ]
      let around = rig.surroundings(input: FakeNode.password, transport: node.transport)
      #expect(await rig.run(words, in: around).status == ExitCode.failure)
      #expect(node.log.isEmpty)
      #expect(await rig.run(words + ["--insecure-http"], in: around).status == ExitCode.success)
    }
  }
}
