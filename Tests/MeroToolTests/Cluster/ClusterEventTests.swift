import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("The tool at a cluster: events and presence", .timeLimit(.minutes(5)))
struct ClusterEventTests {
  @Test("events are printed as they happen, until there were enough, and cursors lead back to them")
  func events() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let following = ada.lines("following")
      async let told = ada.run("events", app, "--count", "2", "--json")
      _ = await following.first()
      for text in ["one", "two", "three"] {
        #expect(await ada.run("call", app, "send_message", #"{"message":"\#(text)"}"#).status == 0)
      }
      let result = await told
      #expect(result.status == ExitCode.success)
      #expect(result.lines.count == 2)
      let (first, second) = (try result.json(), try result.json(1))
      #expect(first["kind"] == "MessageSent")
      #expect(second["data"]?["text"] == "two")

      let cursor = try #require(first["cursor"]?.stringValue)
      let next = await ada.run("events", app, "--from", cursor)
      #expect(next.lines.count == 1)
      #expect(next.text.contains("MessageSent  {"))
      #expect(next.text.contains("two"))
      let all = await ada.run("events", app, "--from", "oldest", "--kind", "MessageSent", "--count", "3")
      #expect(all.lines.count == 3)
      #expect(await ada.run("events", app, "--from", "no cursor").status == 4)
    }
  }

  @Test("following goes on at another node when one is lost, with each event once")
  func failover() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let following = ada.lines("following")
      async let told = ada.run("events", app, "--count", "2", "--json")
      var open = following.makeAsyncIterator()
      _ = await open.next()
      #expect(await ada.run("call", app, "send_message", #"{"message":"one"}"#).status == 0)
      await rig.local.stopNode(0)
      #expect(await ada.run("call", app, "send_message", #"{"message":"two"}"#).status == 0)
      let result = await told
      #expect(result.status == ExitCode.success)
      #expect(try result.json()["data"]?["text"] == "one")
      #expect(try result.json(1)["data"]?["text"] == "two")
    }
  }

  @Test("Ctrl-C ends what follows, and that is no failure")
  func interrupt() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      let following = ada.lines("following")
      let ended = await ada.run("events", app, "--follow", interrupted: { _ = await following.first() })
      #expect(ended.status == ExitCode.success)
      #expect(ended.lines.isEmpty)

      // A process hears the real signal.
      let files = ["--session", ada.session.path, "--passkeys", ada.passkeys.path]
      for words in [["events", app, "--follow"], ["presence", app, "--follow"]] {
        let process = try ToolProcess(words + ada.nodes + files)
        while process.isRunning, rig.cloud.openStreams(of: app) == 0 {
          try await Task.sleep(nanoseconds: 5_000_000)
        }
        kill(process.identifier, SIGINT)
        #expect(await process.end() == .exited(0))
        while rig.cloud.openStreams(of: app) > 0 { try await Task.sleep(nanoseconds: 5_000_000) }
      }
    }
  }

  @Test("an app that is not there and a cluster that is away are failures and not waits")
  func away() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      #expect(await ada.run("events", "app_none", "--follow").status == 4)
      #expect(await ada.run("presence", "app_none", "--follow").status == 4)
      for index in 0..<3 { await rig.local.stopNode(index) }
      #expect(await ada.run("events", app, "--follow").status == 5)
      #expect(await ada.run("presence", app, #"{"typing":true}"#).status == 5)
    }
  }

  @Test("who is present is seen by others, and taken back on Ctrl-C")
  func presence() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      #expect(await ada.run("presence", app).text == "nobody is present")
      let watching = rig.person("ada")
      #expect(await watching.run("whoami").status == 0)
      let sets = watching.lines("")
      let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
      async let watched = watching.run(
        "presence", app, "--follow", "--json", interrupted: { for await _ in stop { return } })
      var set = sets.makeAsyncIterator()
      #expect(await set.next() == #"{"entries":[]}"#)

      let (leave, leaving) = AsyncStream.makeStream(of: Void.self)
      async let present = ada.run(
        "presence", app, #"{"typing":true}"#, interrupted: { for await _ in leave { return } })
      let entry = try JSONValue(parsing: try #require(await set.next()))["entries"]?[0]
      #expect(entry?["name"] == "ada")
      #expect(entry?["state"] == ["typing": true])
      #expect(entry?["isMine"] == true)
      let now = await watching.run("presence", app)
      #expect(now.text == #"ada {"typing":true}"#)
      leaving.finish()
      #expect(await present.status == ExitCode.success)
      while let line = await set.next(), line != #"{"entries":[]}"# {}
      stopping.finish()
      #expect(await watched.status == ExitCode.success)
    }
  }

  @Test("presence that a node refuses ends with the refusal")
  func refusedPresence() async throws {
    try await withClusterTool { rig in
      let (ada, _, app) = try await rig.owner()
      rig.cloud.nodes[0].answer(403, "FORBIDDEN", operation: "app_presence_set")
      let refused = await ada.run("presence", app, "1")
      #expect(refused.status == 4)
      #expect(await ada.run("presence", app, "null").status == ExitCode.usage)
      let large = "\"\(String(repeating: "x", count: 17_000))\""
      #expect(await ada.run("presence", app, "-", input: large).status == ExitCode.usage)
    }
  }
}
