import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroWire

extension AccountSubcommand {
  static let signIn = AccountSubcommand(
    name: "sign-in", summary: "Have a wallet certify this device, and learn the account's relay",
    help: """
      usage: mero account sign-in [--as NAME | --port PORT] [--timeout SECONDS] [OPTIONS]

      Prints the address of the wallet's page, for a browser on this machine, and waits until the page has answered: it
      leads back to a listener on 127.0.0.1, which hands the answer over and ends. The device's keys are made here and stay
      here; what the wallet certifies is worth nothing without them.

      Then the cloud says which relay writes for the account. Without a relay one is signed in all the same, and gets the
      first one by joining a namespace.

        --as NAME    answer the page of a wallet on this machine right away, as this person: for “mero local”
        --port PORT  where to listen for the answer (0: any free port)
        --timeout SECONDS
                     how long to wait for the person (600)
      """,
    values: ["--as", "--port", "--timeout"]
  ) { try await AccountSignIn(invocation: $0).run() }
}

private struct AccountSignIn {
  let invocation: AccountInvocation

  private var arguments: Arguments { invocation.arguments }

  func run() async throws -> Int32 {
    try arguments.refusePositional()
    let patience = try patience()
    // Keys that cannot be read are not replaced by new ones.
    _ = try invocation.folder.keys.load()
    let before = await invocation.signIn.restoreSession()?.account
    if let name = arguments.value("--as") {
      guard arguments.value("--port") == nil else { throw UsageError("--as and --port exclude each other") }
      try await answer(as: name)
    } else {
      guard try await inTime(within: patience, { try await askPerson() }) else { return ExitCode.failure }
    }
    try await invocation.reportSession("signed in as account")
    if let before, await invocation.signIn.restoreSession()?.account != before {
      invocation.surroundings.tell("the session of account \(before) ended here".printable)
    }
    return ExitCode.success
  }

  private func patience() throws -> TimeInterval {
    guard let seconds = Int(arguments.value("--timeout") ?? "600"), (1...86_400).contains(seconds) else {
      throw UsageError("--timeout takes a number of seconds from 1 to 86400")
    }
    return TimeInterval(seconds)
  }

  /// Waits for a person, and not for ever.
  private func inTime(
    within seconds: TimeInterval, _ work: @escaping @Sendable () async throws -> Bool
  ) async throws -> Bool {
    do { return try await withDeadline(seconds, clock: .system, operation: work) } catch let error
      as TransportError
      where error.kind == .timedOut
    {
      let span = seconds == 1 ? "1 second" : "\(Int(seconds)) seconds"
      throw ToolError(
        "nobody answered the wallet's page within \(span); run it again, or give it longer with --timeout")
    }
  }

  /// Does what a person does in a browser: enters a name and approves.
  private func answer(as name: String) async throws {
    let length = name.trimmingCharacters(in: .whitespaces).count
    guard (1...LocalWallets.nameLimit).contains(length) else {
      throw UsageError("--as takes a name of at most \(LocalWallets.nameLimit) characters")
    }
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
    let invocation = invocation
    let port = try arguments.port("--port", default: 0)
    let browser = LoopbackBrowserAuthenticator(open: { page in
      invocation.report(page.absoluteString, ["url": .string(page.absoluteString)])
      invocation.surroundings.tell(
        "waiting for the wallet's answer; open the address in a browser on this machine")
    })
    let session = try await invocation.untilInterrupted {
      try await invocation.signIn.enrol(using: browser, port: port)
    }
    if session == nil { invocation.surroundings.tell("broken off") }
    return session != nil
  }
}
