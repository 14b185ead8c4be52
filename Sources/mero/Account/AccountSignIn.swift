import Foundation
import MeroHTTP
import MeroKit
import MeroWire

extension AccountSubcommand {
  static let signIn = AccountSubcommand(
    name: "sign-in", summary: "Have a wallet certify this device, and learn the account's relay",
    help: """
      usage: mero account sign-in [--as NAME | --port PORT] [OPTIONS]

      Prints the address of the wallet's page, for a browser on this machine, and waits until the page has answered: it
      leads back to a listener on 127.0.0.1, which hands the answer over and ends. The device's keys are made here and stay
      here; what the wallet certifies is worth nothing without them.

      Then the cloud says which relay writes for the account. Without a relay one is signed in all the same, and gets the
      first one by joining a namespace.

        --as NAME    answer the page of a wallet on this machine right away, as this person: for “mero local”
        --port PORT  where to listen for the answer (0: any free port)
      """,
    values: ["--as", "--port"]
  ) { try await AccountSignIn(invocation: $0).run() }

  static let signOut = AccountSubcommand(
    name: "sign-out", summary: "End the session",
    help: """
      usage: mero account sign-out [--forget-device] [OPTIONS]

      Forgets the session here. What is known of relays stays, and so do the numbers of warrants, since a number is good
      once. Without a session it does nothing.

        --forget-device  forget the device's keys too: the next sign-in is another device's
      """,
    flags: ["--forget-device"]
  ) { invocation in
    try invocation.arguments.refusePositional()
    let session = await invocation.signIn.restoreSession()
    await invocation.signIn.signOut(forgetDevice: invocation.arguments.has("--forget-device"))
    var json: JSONObject = ["hadSession": .bool(session != nil)]
    json["account"] = session.map { .string($0.account) }
    invocation.report(session.map { "signed out of account \($0.account)" } ?? "nobody was signed in", json)
    return ExitCode.success
  }

  static let whoami = AccountSubcommand(
    name: "whoami", summary: "Say who is signed in, and at which relay",
    help: """
      usage: mero account whoami [--refresh] [OPTIONS]

      Prints the account, this device, and the relay that writes for the account. Nobody is asked.

        --refresh  ask the cloud again which relay it is, and the relay for its proof: after it was replaced
      """,
    flags: ["--refresh"]
  ) { invocation in
    try invocation.arguments.refusePositional()
    _ = try await invocation.session()
    if invocation.arguments.has("--refresh") {
      if let relay = try await invocation.signIn.refreshRelay().relayUrl {
        try await invocation.prove(relay, fresh: true)
      }
    }
    try await invocation.reportSession("account")
    return ExitCode.success
  }
}

extension AccountInvocation {
  /// Tells who is signed in, after these words.
  fileprivate func reportSession(_ words: String) async throws {
    guard let session = await signIn.restoreSession() else {
      throw ToolError("the session could not be kept in \(folder.url.path)")
    }
    var json: JSONObject = ["account": .string(session.account), "device": .string(session.device)]
    json["relay"] = session.relayUrl.map { .string($0) }
    json["note"] = session.note.map { .string($0) }
    report("\(words) \(session.account)  device \(session.device)  relay \(session.relayUrl ?? "-")", json)
    if let note = session.note { surroundings.tell(note.printable) }
  }
}

private struct AccountSignIn {
  let invocation: AccountInvocation

  private var arguments: Arguments { invocation.arguments }

  func run() async throws -> Int32 {
    try arguments.refusePositional()
    if let name = arguments.value("--as") {
      guard arguments.value("--port") == nil else { throw UsageError("--as and --port exclude each other") }
      try await answer(as: name)
    } else {
      guard try await askPerson() else { return ExitCode.failure }
    }
    try await invocation.reportSession("signed in as account")
    return ExitCode.success
  }

  /// Does what a person does in a browser: enters a name and approves.
  private func answer(as name: String) async throws {
    guard !name.trimmingCharacters(in: .whitespaces).isEmpty else { throw UsageError("--as takes a name") }
    guard Loopback.isLoopback(host: invocation.wallet.host ?? "") else {
      throw UsageError("--as answers a wallet on this machine only; approve in a browser")
    }
    let page = try await invocation.signIn.beginEnrolment(callback: .scheme("mero"))
    let value = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    guard let url = URL(string: "\(page.absoluteString)&name=\(value)&answer=approve") else {
      throw ToolError("the wallet's page has no address")
    }
    let response = try await invocation.surroundings.transport.send(HTTPRequest(.get, url, timeout: 30))
    guard response.status == 303, let answer = response.headers["location"].flatMap(URL.init(string:)) else {
      throw ToolError("the wallet at \(invocation.wallet.absoluteString) answered \(response.status)")
    }
    try await invocation.signIn.completeEnrolment(callbackURL: answer)
  }

  /// Waits for a person in a browser. Answers false when Ctrl-C ended that.
  private func askPerson() async throws -> Bool {
    let signIn = invocation.signIn
    let port = try arguments.port("--port", default: 0)
    let listener = WalletAnswerListener { try await signIn.completeEnrolment(callbackURL: $0) }
    let callback: URL
    do { callback = try listener.start(port: port) } catch {
      throw ToolError("the answer cannot be listened for: \(error)")
    }
    let outcome: Result<Void, any Error>?
    do {
      let page = try await signIn.beginEnrolment(callbackURL: callback.absoluteString).absoluteString
      invocation.report(page, ["url": .string(page)])
      invocation.surroundings.tell(
        "waiting for the wallet's answer; open the address in a browser on this machine")
      outcome = try await invocation.untilInterrupted { await listener.outcome() }
    } catch {
      await listener.stop()
      throw error
    }
    await listener.stop()
    try outcome?.get()
    if outcome == nil { invocation.surroundings.tell("broken off") }
    return outcome != nil
  }
}
