import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("The tool at a cluster: work", .timeLimit(.minutes(5)))
struct ClusterWorkTests {
  @Test("organizations are made, listed and deleted, for people and for machines")
  func orgs() async throws {
    try await withClusterTool { rig in
      let ada = rig.person("ada")
      try await ada.signUp()
      #expect(await ada.run("orgs").lines.isEmpty)
      let made = try await ada.run("orgs", "create", "Acme", "--json").json()
      #expect(made["name"] == "Acme")
      let org = try #require(made["orgId"]?.stringValue)
      let listed = await ada.run("orgs", "list")
      #expect(listed.text == "\(org)  owner  Acme")
      #expect(await ada.run("orgs", "create", "A\u{1B}[2Jcme").status == ExitCode.usage)
      #expect(try await ada.run("orgs", "--json").json()["orgId"]?.stringValue == org)
      let members = await ada.run("orgs", "members", org)
      #expect(members.lines.count == 1)
      #expect(members.text.contains("  owner  ada"))

      // The passkey of the file confirms it.
      #expect(try await ada.run("orgs", "delete", org, "--json").json()["deleted"] == true)
      #expect(await ada.run("orgs").lines.isEmpty)
      let gone = await ada.run("orgs", "members", org)
      #expect(gone.status == 4)
      #expect(gone.told.contains("NOT_FOUND"))
    }
  }

  @Test("an invitation lets another in by its code or its link, once, and whoever joined can leave")
  func invitations() async throws {
    try await withClusterTool { rig in
      let (ada, org, _) = try await rig.owner()
      let grace = rig.person("grace")
      try await grace.signUp()
      let made = try await ada.run("orgs", "invite", org, "--role", "viewer", "--valid-for", "60", "--json")
        .json()
      let code = try #require(made["code"]?.stringValue)
      #expect(made["invite"]?["role"] == "viewer")
      let joined = await grace.run("orgs", "join", "-", input: code + "\n")
      #expect(joined.text == "\(org)  Acme")
      #expect(await grace.run("orgs").text.contains("\(org)  viewer  Acme"))
      let again = try await grace.run("orgs", "join", code, "--json").json()
      #expect(again["alreadyMember"] == true)
      #expect(try await grace.run("orgs", "leave", org, "--json").json()["left"] == true)
      #expect(await grace.run("orgs").lines.isEmpty)
      // Its one use is over.
      #expect(await grace.run("orgs", "join", code).status == 4)

      let link = await ada.run("orgs", "invite", org, "--max-uses", "3")
      #expect(link.text.contains("#"))
      let file = try grace.file("invitation", (link.text + "\n").utf8)
      #expect(await grace.run("orgs", "join", "--invite", file).text == "\(org)  Acme")
      #expect(await grace.run("orgs", "leave", org).status == ExitCode.success)
      #expect(await grace.run("orgs", "join", "--invite", "-", input: link.text + "\nmore").status == 0)
      #expect(await grace.run("orgs", "leave", org).status == ExitCode.success)
      #expect(await grace.run("orgs", "join", "--invite", file + "-none").status == ExitCode.failure)
      #expect(await grace.run("orgs", "join", "-", input: "\n").status == ExitCode.usage)
      #expect(await grace.run("orgs", "join", "-", input: link.text).status == ExitCode.success)
      #expect(await grace.run("orgs", "members", org).lines.count == 2)
      #expect(await grace.run("orgs", "invite", org).status == 4)
    }
  }

  @Test("apps are made, listed, shown and deleted")
  func apps() async throws {
    try await withClusterTool { rig in
      let (ada, org, app) = try await rig.owner()
      #expect(
        await ada.run("apps").text.hasPrefix("\(app)  ready  manager  com.calimero.chat 1.4.0  general"))
      let empty = await ada.run("apps", "--org", org, "--package", "com.calimero.kv")
      #expect(empty.status == 0 && empty.lines.isEmpty)
      // An organization without apps is one thing, and one that is not there another.
      #expect(await ada.run("apps", "--org", "org_none").status == 4)
      #expect(try await ada.run("apps", "show", app, "--json").json()["orgId"]?.stringValue == org)
      let refused = await ada.run("apps", "create", "x", "--org", org, "--package", "com.example.none")
      #expect(refused.status == 4)
      #expect(await ada.run("apps", "delete", app).text == "deleted")
      #expect(await ada.run("apps").lines.isEmpty)
      #expect(await ada.run("apps", "show", app).status == 4)
    }
  }

  @Test("arguments and results of calls and views keep every digit")
  func calls() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner(of: "com.calimero.probe")
      let number = "340282366920938463463374607431768211455"
      #expect(await ada.run("call", app, "echo", #"{"n":\#(number)}"#).text == #"{"n":\#(number)}"#)
      let json = try await ada.run("call", app, "put", "-", "--json", input: #"{"n":0.10}"#).json()
      #expect(json["result"] == .null)
      #expect(json["replayed"] == false)
      #expect(await ada.run("view", app, "get").text == #"{"n":0.10}"#)
      let seq = try #require(json["seq"]?.int64)
      let seen = try await ada.run("view", app, "get", "--min-seq", "\(seq)", "--json").json()
      #expect(seen["seq"]?.int64 == seq)
      #expect(await ada.run("view", app, "look", "[1,2]").text == "[1,2]")

      let key = ["--key", "0123456789abcdef0123456789abcdef"]
      for replayed in [false, true] {
        let result = await ada.run(["call", app, "echo", "{}", "--json"] + key + ada.nodes)
        #expect(try result.json()["replayed"]?.boolValue == replayed)
      }
      #expect(await ada.run(["call", app, "echo", #"{"other":1}"#] + key + ada.nodes).status == 4)
      #expect(await ada.run("call", app, "echo", "--if-seq", "0").status == 4)

      let failed = await ada.run("call", app, "fail", #"{"why":"no"}"#)
      #expect(failed.status == 4)
      #expect(failed.told.contains("METHOD_FAILED"))
      #expect(failed.lines.isEmpty)
      #expect(await ada.run("view", app, "put").status == 4)
    }
  }

  @Test("files go up and come back with a bar, and are checked; one that fails leaves nothing")
  func blobs() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let bytes = MeroRandom.system.bytes(3 << 20)
      let source = try ada.file("cat.png", bytes)
      let put = try await ada.run("blobs", "put", app, source, "--type", "image/png", "--json").json()
      let id = Hex.encode(SHA256.hash(bytes))
      #expect(put["blobId"]?.stringValue == id)
      #expect(put["size"]?.int == 3_145_728)
      #expect(put["name"] == "cat.png")
      #expect(ada.bar.contains("[####################] 100 %  3.1 of 3.1 MB"))
      #expect(ada.bar.hasSuffix("\n"))
      #expect(await ada.run("blobs", "list", app).text == "\(id)  3145728 bytes  image/png  cat.png")

      let target = ada.folder.appendingPathComponent("target")
      let got = await ada.run("blobs", "get", app, id, target.path)
      #expect(got.text == target.path)
      #expect(try Data(contentsOf: target) == Data(bytes))

      let none = ada.folder.appendingPathComponent("none")
      let missing = await ada.run("blobs", "get", app, String(repeating: "0", count: 64), none.path)
      #expect(missing.status == 4)
      #expect(FileManager.default.fileExists(atPath: none.path) == false)
      #expect(await ada.run("blobs", "get", app, "no hash", none.path).status == ExitCode.usage)
      #expect(await ada.run("blobs", "put", app, "/nowhere/at/all").status == ExitCode.failure)
      #expect(await ada.run("blobs", "put", app, ada.folder.path).status == ExitCode.failure)
      let folder = await ada.run("blobs", "get", app, id, ada.folder.path)
      #expect(folder.told.contains("\(ada.folder.path) is a folder"))
      #expect(await ada.run("blobs", "delete", app, id).text == "deleted")
      #expect(await ada.run("blobs", "list", app, "--json").lines.isEmpty)
    }
  }

  @Test("a file goes to the standard output as it is, and bytes that are there keep their name")
  func blobBytes() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let bytes = MeroRandom.system.bytes(300_000)
      let first = try ada.file("first", bytes)
      let id = try #require(
        try await ada.run("blobs", "put", app, first, "--json").json()["blobId"]?.stringValue)
      let again = await ada.run("blobs", "put", app, first, "--name", "second", "--json")
      #expect(try again.json()["name"] == "first")
      #expect(again.told.contains("keep their name"))
      let got = await ada.run("blobs", "get", app, id, "-")
      #expect(got.status == ExitCode.success)
      #expect(got.bytes == Data(bytes))
      #expect(got.lines.isEmpty)
      let folder = await ada.run("blobs", "get", app, id, ada.folder.path)
      #expect(folder.status == ExitCode.failure)
      #expect(folder.told.contains("is a folder"))
    }
  }

  @Test("a transfer that Ctrl-C ends says so by its exit code, and leaves no file")
  func brokenOff() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let source = try ada.file("source", MeroRandom.system.bytes(1 << 20))
      let id = try #require(
        try await ada.run("blobs", "put", app, source, "--json").json()["blobId"]?.stringValue)
      for node in rig.cloud.nodes { node.silent() }
      let target = ada.folder.appendingPathComponent("target")
      let ended = await ada.run("blobs", "get", app, id, target.path, interrupted: {})
      #expect(ended.status == ExitCode.interrupted)
      #expect(ended.told.contains("broken off"))
      #expect(FileManager.default.fileExists(atPath: target.path) == false)
      for node in rig.cloud.nodes { node.up() }
    }
  }
}
