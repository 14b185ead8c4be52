import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("mero node: work", .timeLimit(.minutes(5)))
struct NodeWorkTests {
  @Test("contexts are listed, for people and for machines")
  func contexts() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let context = rig.local.node.makeContext(of: .chat, name: "to\u{1B}[2Jdo")
      let text = await rig.run("contexts")
      #expect(text.lines.count == 1)
      #expect(text.text.hasPrefix(context))
      #expect(!text.text.contains("\u{1B}"))
      let json = try await rig.run("contexts", "--json").json()
      #expect(json["contextId"]?.stringValue == context)
      #expect(json["name"]?.stringValue == "to\u{1B}[2Jdo")
      #expect(json["groupId"]?.stringValue?.count == 64)
    }
  }

  @Test("a method's numbers keep every digit on the way there and back")
  func call() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let context = rig.local.node.makeContext(of: .probe)
      let number = "340282366920938463463374607431768211455"
      let echo = await rig.run("call", context, "echo", #"{"n":\#(number)}"#)
      #expect(echo.status == ExitCode.success)
      #expect(echo.text == #"{"n":\#(number)}"#)
      let json = await rig.run("call", context, "echo", "-", "--json", input: #"{"n":0.10}"#)
      #expect(json.text == #"{"output":{"n":0.10}}"#)
      let refused = await rig.run("call", context, "fail", #"{"why":"no"}"#)
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains("FunctionCallError"))
      #expect(refused.lines.isEmpty)
    }
  }

  @Test("events are printed as they happen, until there were enough")
  func events() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let node = rig.local.node
      let context = node.makeContext(of: .chat)
      rig.onRemark("following") {
        for text in ["one", "two"] {
          _ = try? node.write("send_message", ["message": .string(text)], context: context, as: node.account)
        }
      }
      let told = await rig.run("events", context, "--count", "2", "--json")
      #expect(told.status == ExitCode.success)
      #expect(told.lines.count == 2)
      let (first, second) = (try told.json(), try told.json(1))
      #expect(first["type"] == "StateMutation")
      #expect(second["contextId"]?.stringValue == context)
      let text = await rig.run("events", context)
      #expect(text.lines.count == 1)
      #expect(text.text.contains("MessageSent {"))
    }
  }

  @Test("Ctrl-C ends what follows, and that is no failure")
  func interrupt() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let context = rig.local.node.makeContext()
      let (stop, continuation) = AsyncStream.makeStream(of: Void.self)
      rig.onRemark("following") { continuation.yield() }
      let around = rig.surroundings(interrupted: { for await _ in stop { return } })
      let words = [
        "events", context, "--follow", "--node", rig.url.absoluteString, "--session", rig.session,
      ]
      #expect(await rig.run(words, in: around).status == ExitCode.success)
    }
  }

  @Test("contexts that may not be followed are named, and fail when there is nothing else")
  func refusedContexts() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let unknown = String(repeating: "0", count: 64)
      let refused = await rig.run("events", unknown)
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains(unknown))
    }
  }

  @Test("a node that is away, and a session that is over, are failures and not waits")
  func away() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      await rig.local.pause()
      #expect(await rig.run("events", String(repeating: "0", count: 64)).status == ExitCode.failure)
      #expect(await rig.run("contexts").status == ExitCode.failure)
    }
  }

  @Test("blobs go up and come back with a bar, and are checked; a failed one leaves nothing")
  func blobs() async throws {
    try await withNodeTool { rig in
      await rig.logIn()
      let bytes = MeroRandom.system.bytes(3 << 20)
      let source = try rig.file("source", bytes)
      let put = await rig.run("blobs", "put", source, "--json")
      #expect(put.status == ExitCode.success)
      let id = try #require(try put.json()["blobId"]?.stringValue)
      #expect(try put.json()["size"]?.int == 3_145_728)
      #expect(rig.bar.contains("[####################] 100 %  3.1 of 3.1 MB"))
      #expect(rig.bar.hasSuffix("\n"))

      let target = rig.folder.appendingPathComponent("target")
      let get = await rig.run("blobs", "get", id, target.path, "--json")
      #expect(get.status == ExitCode.success)
      #expect(try get.json()["hash"]?.stringValue == Hex.encode(SHA256.hash(bytes)))
      #expect(try Data(contentsOf: target) == Data(bytes))
      #expect(await rig.run("blobs", "list").text.contains(id))

      let none = rig.folder.appendingPathComponent("none")
      let missing = await rig.run("blobs", "get", String(repeating: "0", count: 64), none.path)
      #expect(missing.status == ExitCode.failure)
      #expect(FileManager.default.fileExists(atPath: none.path) == false)
      #expect(await rig.run("blobs", "put", "/nowhere/at/all").status == ExitCode.failure)
    }
  }

  @Test("an invitation made on one node lets another join, and its contexts come along")
  func invitations() async throws {
    try await withNodeTool { ada in
      try await withNodeTool { grace in
        ada.local.node.link(grace.local.node)
        await ada.logIn()
        await grace.logIn()
        let context = ada.local.node.makeContext(of: .chat, name: "chat")
        let groups = await ada.run("groups", "--json")
        let group = try #require(try groups.json()["groupId"]?.stringValue)
        #expect(try groups.json()["isNamespace"] == true)

        let file = ada.folder.appendingPathComponent("invitation.json").path
        let made = await ada.run("invite", group, "--valid-for", "3600", "--out", file)
        #expect(made.status == ExitCode.success)
        #expect(!made.text.contains("inviter_signature"))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)

        let joined = await grace.run("join", file)
        #expect(joined.status == ExitCode.success)
        #expect(joined.text.contains("joined \(group)"))
        #expect(joined.text.contains(context))
        #expect(await grace.run("contexts").text.contains(context))
        #expect(await grace.run("call", context, "send_message", #"{"message":"hello"}"#).status == 0)
        #expect(await grace.run("join", file).status == ExitCode.success)
        #expect(await grace.run("groups").text.contains(group))

        let printed = await ada.run("invite", group)
        #expect(try printed.json()["invitation"]?["inviter_signature"] != nil)
        #expect(await grace.run("join", "-", input: printed.text).status == ExitCode.success)
        #expect(await grace.run("join", "-", input: "{}").status == ExitCode.failure)
        #expect(await ada.run("invite", String(repeating: "0", count: 64)).status == ExitCode.failure)
      }
    }
  }
}
