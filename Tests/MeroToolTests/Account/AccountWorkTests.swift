import Foundation
import MeroHTTP
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
      #expect(await grace.run("join", "-", input: invited.text + "\n").status == ExitCode.success)

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
      #expect(await ada.run("invite", unknown).status == ExitCode.usage)
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
