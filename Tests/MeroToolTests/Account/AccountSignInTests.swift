import Foundation
import LocalCluster
import MeroHTTP
import MeroWire
import Testing

@testable import mero

/// An id that fits, of nothing.
private let anId = String(repeating: "0", count: 64)

@Suite("mero account: signing in", .timeLimit(.minutes(5)))
struct AccountSignInTests {
  @Test(
    "a sign-in keeps the account in files for their owner alone, and a sign-out ends it but not its numbers")
  func files() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      #expect(await ada.run("whoami").status == ExitCode.failure)
      let signedIn = try await ada.run("sign-in", "--as", "ada", "--json").json()
      let account = rig.services.wallets.wallet(of: "ada").account
      #expect(signedIn["account"]?.stringValue == account)
      #expect(signedIn["relay"]?.stringValue == (await rig.services.relayURLs[0].absoluteString))
      #expect(try await ada.run("whoami", "--json").json() == signedIn)
      _ = try await ada.foundWithContext()

      let modes = try modes(below: ada.folder)
      #expect(modes.keys.contains("keys.json") && modes.keys.contains("nonces"))
      for (path, mode) in modes {
        #expect(mode == (path == "nonces" || path == "" ? 0o700 : 0o600), "\(path)")
      }

      #expect(await ada.run("sign-out").text == "signed out of account \(account)")
      #expect(await ada.run("sign-out").text == "nobody was signed in")
      let after = await ada.run("whoami")
      #expect(after.status == ExitCode.failure)
      #expect(after.told.contains("nobody is signed in"))
      #expect(try self.modes(below: ada.folder).keys.contains("nonces"))

      let keys = ada.folder.appendingPathComponent("keys.json")
      let before = try Data(contentsOf: keys)
      try await ada.signIn()
      #expect(try Data(contentsOf: keys) == before)
      #expect(await ada.run("sign-out", "--forget-device").status == ExitCode.success)
      #expect(!FileManager.default.fileExists(atPath: keys.path))
      let other = try await ada.run("sign-in", "--as", "ada", "--json").json()
      #expect(other["account"] == signedIn["account"])
      #expect(try Data(contentsOf: keys) != before)
      try expectNoSecret(of: ada)
    }
  }

  @Test("a sign-out that cannot remove the session fails, and says where it is")
  func stuck() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      // A folder cannot be removed as a file.
      let session = ada.folder.appendingPathComponent("session.json")
      try FileManager.default.removeItem(at: session)
      try FileManager.default.createDirectory(at: session, withIntermediateDirectories: false)
      let result = await ada.run("sign-out")
      #expect(result.status == ExitCode.failure)
      #expect(result.told.contains(session.path))
    }
  }

  private func modes(below folder: URL) throws -> [String: Int] {
    var modes: [String: Int] = [:]
    for path in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder.path)) {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(path).path)
      modes[path] = (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    return modes
  }

  @Test("in a browser: the page is printed, the wallet leads back, and its answer is handed over by a script")
  func browser() async throws {
    try await withBrowser { browser, ada in
      async let signedIn = ada.run("sign-in")
      let back = try await browser.approve("ada")
      let page = try await browser.open(back)
      #expect(page.status == 200)
      let policy = try #require(page.headers["content-security-policy"])
      #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-"))
      #expect(page.text.contains("location.hash"))
      #expect(!page.text.contains("credential"))
      let answer = try await browser.post(back)
      #expect(answer.status == 200)
      #expect(answer.text.contains("signed in"))
      _ = try await browser.close(back)
      let result = await signedIn
      #expect(result.status == ExitCode.success)
      #expect(result.text.contains("signed in as account"))
      #expect(await ada.run("whoami").status == ExitCode.success)
      try expectNoSecret(of: ada)
    }
  }

  @Test(
    "an answer to another request, from another page or at another path is refused, and the waiting goes on")
  func forged() async throws {
    try await withBrowser { browser, ada in
      async let signedIn = ada.run("sign-in")
      let back = try await browser.approve("ada")
      let text = back.absoluteString
      let state = try #require(text.range(of: "state="))
      let forged = try #require(URL(string: text[..<state.upperBound] + String(repeating: "0", count: 32)))
      #expect(try await browser.post(forged).status == 400)
      #expect(try await browser.post(back, origin: "https://evil.example").status == 403)
      #expect(try await browser.post(back, origin: nil).status == 403)
      let elsewhere = text.replacingOccurrences(of: back.path, with: "/other")
      #expect(try await browser.post(try #require(URL(string: elsewhere))).status == 404)
      let empty = try #require(URL(string: text.prefix { $0 != "#" } + "#"))
      #expect(try await browser.post(empty).status == 400)
      #expect(await ada.run("whoami").status == ExitCode.failure)
      #expect(try await browser.post(back).status == 200)
      _ = try await browser.close(back)
      #expect(await signedIn.status == ExitCode.success)
    }
  }

  @Test("a person who declines, and Ctrl-C, end it without a session")
  func declined() async throws {
    try await withBrowser { browser, ada in
      async let signedIn = ada.run("sign-in")
      let back = try await browser.approve("ada", answer: "decline")
      #expect(try await browser.post(back).status == 200)
      _ = try await browser.close(back)
      let result = await signedIn
      #expect(result.status == ExitCode.failure)
      #expect(result.told.contains("declined"))

      let broken = await ada.run("sign-in") {}
      #expect(broken.status == ExitCode.failure)
      #expect(await ada.run("whoami").status == ExitCode.failure)
    }
  }

  @Test("two that share a folder share the session, and who uses another folder is another device")
  func folders() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let mine = try await ada.run("whoami", "--json").json()
      let tablet = rig.person("tablet")
      #expect(await tablet.run("sign-in", "--as", "ada").status == ExitCode.success)
      let its = try await tablet.run("whoami", "--json").json()
      #expect(its["account"] == mine["account"])
      #expect(its["device"] != mine["device"])
      // Without --data it is the user's data folder.
      #expect(await ada.run(["sign-in", "--as", "ada"] + rig.servers).status == ExitCode.success)
      let standard = ada.folder.appendingPathComponent("network.calimero.merokit/account/keys.json").path
      #expect(FileManager.default.fileExists(atPath: standard))
    }
  }

  @Test("a session that cannot be kept is a failure")
  func unwritable() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      let result = await ada.run(["sign-in", "--as", "ada", "--data", "/dev/null/account"] + rig.servers)
      #expect(result.status == ExitCode.failure)
      #expect(result.lines.isEmpty)
      #expect(result.told.contains("could not be kept"))
    }
  }

  @Test(
    "arguments that do not fit are told apart from work that failed",
    arguments: [
      [], ["nope"], ["sign-in", "--as", ""], ["sign-in", "x"], ["sign-in", "--as", "a", "--port", "1"],
      ["sign-in", "--port", "x"], ["sign-in", "--as", "a", "--wallet", "https://wallet.example/enrol"],
      ["whoami", "x"], ["whoami", "--bogus"], ["found"], ["found", "--package", ""], ["create-context"],
      ["create-context", anId, "--init", "[1]"], ["create-context", anId, "--init", "no"], ["invite"],
      ["invite", anId, "--valid-for", "0"], ["invite", "n"], ["join"], ["join", "nothing"], ["call", "c"],
      ["call", anId, "m", "[1]"], ["call", anId, "m", "no json"], ["call", anId, "m", "--repeat", "0"],
      ["presence"], ["presence", anId, "no json"], ["whoami", "--cloud", "http://cloud.example"],
      ["whoami", "--cloud", "ftp://x"], ["whoami", "--data", ""], ["namespaces", "x"], ["contexts", "x"],
      ["sign-out", "x"], ["whoami", "--cloud", "foo"], ["sign-in", "--wallet", "nonsense"],
      ["create-context", "aa"], ["presence", "aa"], ["call", "aa", "m"], ["invite", "aa", "--package", "p"],
      ["found", "--package", "a b/../c"], ["invite", anId, "--package", "a b/../c"],
      ["join", "https://links.calimero.network/a%20b/join?invitation=x"], ["sign-in", "--timeout", "0"],
      ["sign-in", "--as", String(repeating: "a", count: 65)],
    ])
  func usage(_ words: [String]) async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      let result = await ada.run(words)
      #expect(result.status == ExitCode.usage)
      #expect(result.lines.isEmpty)
      #expect(!result.told.isEmpty)
    }
  }

  @Test("each subcommand explains itself, with its exit codes")
  func help() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      for command in AccountCommand.all {
        let result = await ada.run([command.name, "--help"])
        #expect(result.status == ExitCode.success)
        #expect(result.text.contains("usage: mero account \(command.name)"))
        #expect(result.text.contains("exit code"))
        // Sentences and options are apart; options are together.
        let lines = result.text.components(separatedBy: "\n")
        let first = try #require(lines.firstIndex { $0.hasPrefix("  --") })
        #expect(lines[first - 1].isEmpty, "\(command.name)")
        #expect(!lines[first..<(try #require(lines.firstIndex { $0.contains("--help") }))].contains(""))
      }
      #expect(await ada.run(["--help"]).text.contains("create-context"))
    }
  }

  @Test("without a session everything says so alike, and makes no folder")
  func nobody() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      for words in [
        ["whoami"], ["whoami", "--refresh"], ["namespaces"], ["contexts"], ["invite", anId],
        ["create-context", anId], ["call", anId, "len"], ["presence", anId],
        ["found", "--package", "com.calimero.key-value"],
      ] {
        let result = await ada.run(words + ada.options)
        #expect(result.status == ExitCode.failure, "\(words)")
        #expect(result.told.contains("nobody is signed in"), "\(words)")
      }
      #expect(await ada.run("sign-out").text == "nobody was signed in")
      #expect(!FileManager.default.fileExists(atPath: ada.folder.path))
    }
  }

  @Test("a file that is damaged is named, and keys in it are replaced by nobody but who asks for it")
  func damaged() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let session = ada.folder.appendingPathComponent("session.json")
      let kept = try Data(contentsOf: session)
      try Data("{".utf8).write(to: session)
      #expect(await ada.run("whoami").told.contains("session.json cannot be read"))
      try kept.write(to: session)
      let keys = ada.folder.appendingPathComponent("keys.json")
      try Data("no keys".utf8).write(to: keys)
      #expect(await ada.run("whoami").told.contains("keys.json cannot be read"))
      let refused = await ada.run("sign-in", "--as", "ada")
      #expect(refused.status == ExitCode.failure)
      #expect(refused.told.contains("keys.json cannot be read"))
      #expect(try Data(contentsOf: keys) == Data("no keys".utf8))
      #expect(await ada.run("sign-out", "--forget-device").status == ExitCode.success)
      try await ada.signIn()
    }
  }

  @Test("secrets that others of the machine could read are theirs no longer, which is told once")
  func tightened() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let keys = ada.folder.appendingPathComponent("keys.json").path
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys)
      #expect(await ada.run("whoami").told.contains("keys.json could be read by others"))
      #expect(try modes(below: ada.folder)["keys.json"] == 0o600)
      #expect(await ada.run("whoami").remarks.isEmpty)
    }
  }

  @Test("who signs in over another account is told whose session ends")
  func replaced() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let account = rig.services.wallets.wallet(of: "ada").account
      #expect(await ada.run("sign-in", "--as", "ada").remarks.isEmpty)
      #expect(await ada.run("sign-in", "--as", "grace").told.contains("session of account \(account) ended"))
    }
  }

  @Test("a cloud that cannot be asked is no end: the session says how to ask it again")
  func cloudAway() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      rig.services.manager.fail(.status(503))
      let signedIn = await ada.run("sign-in", "--as", "ada")
      #expect(signedIn.status == ExitCode.success)
      #expect(signedIn.told.contains("mero account whoami --refresh"))
      let found = await ada.run("found", "--package", "com.calimero.key-value")
      #expect(found.status == ExitCode.failure)
      #expect(found.told.contains("mero account whoami --refresh"))
      rig.services.manager.fail(nil)
      #expect(await ada.run("whoami", "--refresh").status == ExitCode.success)
      #expect(await ada.run("found", "--package", "com.calimero.key-value").status == ExitCode.success)
    }
  }

  @Test("a wait for a person ends by itself when nobody comes")
  func patience() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      let result = await ada.run("sign-in", "--timeout", "1")
      #expect(result.status == ExitCode.failure)
      #expect(result.told.contains("within 1 second"))
      #expect(!result.told.contains("no answer"))
    }
  }

  private func withBrowser(_ test: (Browser, AccountPerson) async throws -> Void) async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await test(Browser(pages: ada.written("http")), ada)
    }
  }
}

/// What a browser does at the wallet's page and at the page that it leads to.
private struct Browser {
  /// The pages that people are told to open.
  let pages: AsyncStream<String>
  private let transport = URLSessionTransport()

  struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let text: String
  }

  init(pages: AsyncStream<String>) { self.pages = pages }

  /// Answers where the wallet leads.
  func approve(_ name: String, answer: String = "approve") async throws -> URL {
    var iterator = pages.makeAsyncIterator()
    let page = try #require(await iterator.next())
    let url = try #require(URL(string: "\(page)&name=\(name)&answer=\(answer)"))
    let response = try await transport.send(HTTPRequest(.get, url))
    #expect(response.status == 303)
    return try #require(response.headers["location"].flatMap(URL.init(string:)))
  }

  /// Without the fragment, which a browser keeps.
  func open(_ url: URL) async throws -> Answer { try await send(.get, url, headers: [:], body: nil) }

  /// Posts the fragment, as the page's script does.
  func post(_ url: URL) async throws -> Answer {
    try await post(url, origin: "http://127.0.0.1:\(try #require(url.port))")
  }

  func post(_ url: URL, origin: String?) async throws -> Answer {
    var headers: HTTPHeaders = ["content-type": "text/plain;charset=UTF-8"]
    headers["origin"] = origin
    let fragment = String(url.absoluteString.drop { $0 != "#" })
    return try await send(.post, url, headers: headers, body: fragment)
  }

  /// Says that the page has shown what became of it.
  func close(_ url: URL) async throws -> Answer {
    try await send(
      .delete, url, headers: ["origin": "http://127.0.0.1:\(try #require(url.port))"], body: nil)
  }

  private func send(_ method: HTTPMethod, _ url: URL, headers: HTTPHeaders, body: String?) async throws
    -> Answer
  {
    let bare = try #require(URL(string: String(url.absoluteString.prefix { $0 != "#" })))
    let response = try await transport.send(
      HTTPRequest(method, bare, headers: headers, body: body.map { .data(Data($0.utf8)) }))
    let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    return Answer(status: response.status, headers: response.headers, text: text)
  }
}
