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
