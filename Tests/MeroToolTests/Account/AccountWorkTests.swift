import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@testable import mero

@Suite("mero account: work", .timeLimit(.minutes(5)))
struct AccountWorkTests {
  @Test("two people found, invite by a link, join, and write and read each at their own relay")
  func together() async throws {
    try await withAccountTool { rig in
      let (ada, grace) = (rig.person("ada"), rig.person("grace"))
      try await ada.signIn()
      try await grace.signIn()
      #expect(await ada.run("namespaces").lines.isEmpty)
      let (namespace, context) = try await ada.foundWithContext()
      #expect(await ada.run("namespaces").text.contains("\(namespace)  Team"))
      #expect(try await ada.run("contexts", "--json").json()["contextId"]?.stringValue == context)
      #expect(await grace.run("contexts").lines.isEmpty)

      let invited = await ada.run("invite", namespace, "--valid-for", "3600")
      #expect(
        invited.text.hasPrefix("https://links.calimero.network/com.calimero.key-value/join?invitation="))
      let joined = await grace.run("join", invited.text)
      #expect(joined.status == ExitCode.success)
      #expect(joined.text == "joined \(namespace)")
      let again = try await grace.run("join", "-", "--json", input: invited.text + "\n").json()
      #expect(again["joined"] == true && again["new"] == false)
      // It was good for one account.
      let carol = rig.person("carol")
      try await carol.signIn()
      #expect(await carol.run("join", invited.text).told.contains("(refused)"))

      // The relay that let grace in is hers, and is not ada's.
      let relays = try await [ada, grace].asyncMap { try await $0.run("whoami", "--json").json()["relay"] }
      #expect(relays[0] != nil && relays[1] != nil && relays[0] != relays[1])

      let words = ["call", context, "set_value"]
      #expect(await ada.run(words + [#"{"key":"ada","value":"1"}"#] + ada.options).status == ExitCode.success)
      #expect(
        await grace.run(words + ["-"] + grace.options, input: #"{"key":"grace","value":"2"}"#).status == 0)
      for (person, key, value) in [(ada, "grace", "2"), (grace, "ada", "1")] {
        try await eventually {
          await person.run("call", context, "get_value", #"{"key":"\#(key)"}"#, "--json").text
            == #"{"output":"\#(value)"}"#
        }
      }
      #expect(await grace.run("contexts").text.contains(context))
      #expect(await grace.run("invite", namespace).text.hasPrefix("https://links"))
      let thrice = await ada.run("call", context, "len", "--repeat", "3")
      #expect(thrice.lines == ["2", "2", "2"])
      for relay in rig.services.relays { #expect(relay.reusedNonces.isEmpty) }
      for person in [ada, grace] { try expectNoSecret(of: person) }
    }
  }

  @Test(
    "what a method refuses, a context that is not there and a link that is none are failures, told in words")
  func refusals() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let (namespace, context) = try await ada.foundWithContext()
      let refused = await ada.run("call", context, "get_result", #"{"key":"nothing"}"#)
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains("key not found"))
      #expect(refused.lines.isEmpty)
      let unknown = String(repeating: "0", count: 64)
      #expect(await ada.run("call", unknown, "len").status == ExitCode.failure)
      #expect(await ada.run("create-context", unknown).status == ExitCode.failure)
      #expect(await ada.run("presence", unknown).status == ExitCode.failure)
      #expect(await ada.run("invite", unknown, "--package", "p").status == ExitCode.failure)
      #expect(await ada.run("found", "--package", "com.example.nothing").status == ExitCode.failure)
      for words in [["call", unknown, "len"], ["presence", unknown]] {
        #expect(
          await ada.run(words + ada.options).told.contains("there is no context \(unknown) at the relay"))
      }
      let group = await ada.run("create-context", unknown)
      #expect(group.told.contains("there is no namespace or group \(unknown) at the relay"))
      #expect(await ada.run("invite", unknown).status == ExitCode.usage)
      let version = await ada.run("found", "--package", "com.calimero.key-value", "--version", "9.9.9")
      #expect(version.status == ExitCode.failure)
      #expect(version.told.contains("no version 9.9.9"))
      #expect(await ada.run("namespaces").lines.count == 1)
      let other = await ada.run("invite", namespace, "--package", "com.calimero.chat")
      #expect(other.status == ExitCode.failure)
      #expect(other.told.contains("another app"))
      #expect(await ada.run("join", "https://links.calimero.network/x/join?invitation=x").status == 2)
      #expect(namespace.count == 64)
    }
  }

  @Test(
    "a relay that is away is a failure and no empty list, and one that is back with other keys is proven anew"
  )
  func lostRelay() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let (_, context) = try await ada.foundWithContext()
      await rig.services.stopRelay(0, losesKeys: true)
      for words in [["namespaces"], ["contexts"], ["call", context, "len"], ["presence", context]] {
        let result = await ada.run(words + ada.options)
        #expect(result.status == ExitCode.failure, "\(words)")
        #expect(!result.told.isEmpty)
      }
      try await rig.services.startRelay(0)
      #expect(await ada.run("whoami", "--refresh").status == ExitCode.success)
      #expect(await ada.run("call", context, "set_value", #"{"key":"a","value":"b"}"#).status == 0)
      #expect(await ada.run("contexts").text.contains(context))
      #expect(rig.services.relays[0].reusedNonces.isEmpty)
    }
  }

  @Test("an invitation that has expired, and a link that names another app, are not sent")
  func deadLinks() async throws {
    try await withAccountTool { rig in
      let (ada, grace) = (rig.person("ada"), rig.person("grace"))
      try await ada.signIn()
      try await grace.signIn()
      let (namespace, _) = try await ada.foundWithContext()
      let link = await ada.run("invite", namespace).text
      let wrong = link.replacingOccurrences(of: "com.calimero.key-value", with: "com.calimero.chat")
      let refused = await grace.run("join", wrong)
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains("another app"))
      // What was signed is another time; whoever joins sees first that it has passed.
      let token = try #require(InviteLink.token(fromPasted: link))
      var json = try #require(InviteCodec.decode(token)?.objectValue)
      var signed = try #require(json["invitation"]?.objectValue)
      signed["expiration_timestamp"] = 1_600_000_000
      json["invitation"] = .object(signed)
      let expired = await grace.run("join", try InviteCodec.encode(.object(json)))
      #expect(expired.status == ExitCode.failure)
      #expect(
        expired.told.contains("the invitation expired at 2020-09-13T12:26:40Z")
          && expired.told.contains("(expired)"))
      #expect(rig.services.relays.allSatisfy { $0.log.allSatisfy { !$0.path.hasSuffix("/admit") } })
      #expect(await grace.run("join", link).text == "joined \(namespace)")
    }
  }

  @Test("after a restart of everything the same name is the same account, and founds again")
  func restarted() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      _ = try await ada.foundWithContext()
      let account = try await ada.run("whoami", "--json").json()["account"]
      try await withAccountTool { other in
        // Its relays stand where the old ones stood, as far as the account's folder knows.
        let ports = await [rig, other].asyncMap { rig in
          await rig.services.relayURLs.compactMap(\.port).map { "127.0.0.1:\($0)" }
        }
        for file in ["session.json", "relays.json"] {
          let url = ada.folder.appendingPathComponent(file)
          var text = try String(contentsOf: url, encoding: .utf8)
          for (old, new) in zip(ports[0], ports[1]) { text = text.replacingOccurrences(of: old, with: new) }
          try Data(text.utf8).write(to: url)
        }
        let later = other.person("ada", folder: ada.folder)
        let founded = await later.run("found", "--package", "com.calimero.key-value", "--name", "Again")
        #expect(founded.status == ExitCode.success, "\(founded.told)")
        #expect(await later.run("create-context", founded.text).status == ExitCode.success)
        #expect(await later.run("sign-in", "--as", "ada").status == ExitCode.success)
        #expect(try await later.run("whoami", "--json").json()["account"] == account)
      }
    }
  }

  @Test("who goes is named as whoever came")
  func departure() async throws {
    try await withAccountTool { rig in
      let (ada, grace) = (rig.person("ada"), rig.person("grace"))
      try await ada.signIn()
      try await grace.signIn()
      let (namespace, context) = try await ada.foundWithContext()
      #expect(await grace.run("join", await ada.run("invite", namespace).text).status == ExitCode.success)
      let account = rig.services.wallets.wallet(of: "ada").account
      let came = grace.written("account \(account.prefix(8))")
      let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
      async let following = grace.run("presence", context, "--follow") { for await _ in stop {} }
      var lines = came.makeAsyncIterator()
      // It follows by and by: what is said before is told when it does.
      #expect(await ada.run("presence", context, #"{"at":1}"#).text == "said")
      #expect(await lines.next()?.contains(#"{"at":1}"#) == true)
      #expect(await ada.run("presence", context, "null").status == ExitCode.success)
      #expect(await lines.next()?.hasSuffix("gone") == true)
      stopping.finish()
      #expect(await following.status == ExitCode.success)
    }
  }

  @Test("a follower is told that its relay is lost, and that it is back")
  func outage() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let (_, context) = try await ada.foundWithContext()
      var remarks = ada.written("").makeAsyncIterator()
      func wait(for words: String) async {
        while let line = await remarks.next(), !line.contains(words) {}
      }
      let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
      async let following = ada.run("presence", context, #"{"at":1}"#, "--follow") { for await _ in stop {} }
      await wait(for: #"{"at":1}"#)
      await rig.services.stopRelay(0)
      await wait(for: "the relay is not heard")
      try await rig.services.startRelay(0)
      await wait(for: "the relay is heard again")
      stopping.finish()
      #expect(await following.status == ExitCode.success)
    }
  }

  @Test("what one says in a context another one sees, until it is ended")
  func presence() async throws {
    try await withAccountTool { rig in
      let (ada, grace) = (rig.person("ada"), rig.person("grace"))
      try await ada.signIn()
      try await grace.signIn()
      let (namespace, context) = try await ada.foundWithContext()
      let link = await ada.run("invite", namespace).text
      #expect(await grace.run("join", link).status == ExitCode.success)
      let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
      async let saying = ada.run("presence", context, #"{"typing":true}"#, "--follow") {
        for await _ in stop {}
      }
      let seen = try await grace.run("presence", context, "--json").json()
      #expect(seen["state"] == ["typing": true])
      #expect(seen["account"] == (try await ada.run("whoami", "--json").json()["account"]))
      stopping.finish()
      #expect(await saying.status == ExitCode.success)
      #expect(await grace.run("presence", context, #"{"typing":false}"#).text == "said")
      #expect(await grace.run("presence", context, "null").text == "taken back")
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}

/// Waits for something that comes by and by; the test's time limit ends what never comes.
private func eventually(_ condition: () async -> Bool) async throws {
  while !(await condition()) { try await Task.sleep(nanoseconds: 20_000_000) }
}

/// That nothing of the device's secrets, its credential or its tokens was written.
func expectNoSecret(of person: AccountPerson) throws {
  let written = person.everything
  for (file, names) in [
    ("keys.json", ["sign_sk", "kem_sk"]), ("session.json", ["credential"]),
    ("tokens.json", ["access_token", "refresh_token"]),
  ] {
    guard let data = try? Data(contentsOf: person.folder.appendingPathComponent(file)) else { continue }
    let kept = try JSONValue(parsing: data)
    for name in names {
      guard let secret = kept[name]?.stringValue, !secret.isEmpty else { continue }
      #expect(!written.contains(secret), "\(name)")
    }
  }
}
