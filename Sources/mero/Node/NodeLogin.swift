import Foundation
import MeroHTTP
import MeroKit
import MeroWire

extension NodeSubcommand {
  static let login = NodeSubcommand(
    name: "login", summary: "Begin a session",
    help: """
      usage: mero node login --user NAME [--password-file FILE] [OPTIONS]
             mero node login --print-url --callback URL [--mode MODE] [--package NAME] [OPTIONS]
             mero node login --callback-file FILE [OPTIONS]

      Logs in with a password and keeps the session. The password is asked for on the terminal, which does not show it;
      without a terminal it is the first line of the standard input. It cannot be given as an argument, where other
      users of this machine could read it.

      Or in a browser: --print-url prints the address of the node's login page, and --callback-file takes the address
      that the page led to, which holds the tokens and is therefore not an argument either.

        --user NAME           the user
        --password-file FILE  the password is the first line of this file; - is the standard input
        --print-url           print the login page's address and do nothing else
        --callback URL        where the page leads to
        --mode MODE           what the session may do: multi-context (the default), single-context or admin
        --package NAME        the app's package
        --callback-file FILE  the address that the page led to is in this file; - is the standard input
      """,
    flags: ["--print-url"],
    values: ["--user", "--password-file", "--callback", "--mode", "--package", "--callback-file"]
  ) { try await NodeLogin(invocation: $0).run() }
}

private struct NodeLogin {
  let invocation: NodeInvocation

  private var arguments: Arguments { invocation.arguments }

  func run() async throws -> Int32 {
    try arguments.refusePositional()
    let ways = [
      arguments.has("--print-url"), arguments.value("--callback-file") != nil,
      arguments.value("--user") != nil,
    ]
    guard ways.filter({ $0 }).count == 1 else {
      throw UsageError("it takes one of --user, --print-url and --callback-file")
    }
    if ways[0] { return try printURL() }
    try await ways[1] ? adopt() : logIn(arguments.value("--user") ?? "")
    return ExitCode.success
  }

  private func logIn(_ user: String) async throws {
    guard !user.isEmpty else { throw UsageError("--user takes a name") }
    let password = try password(of: user)
    guard !password.isEmpty else { throw ToolError("no password was given") }
    let mero = invocation.client()
    let tokens = try await mero.authenticate(Credentials(username: user, password: password))
    try begun(tokens, at: invocation.node, as: user)
  }

  private func password(of user: String) throws -> String {
    guard let file = arguments.value("--password-file") else {
      if let ask = invocation.surroundings.askSecret {
        return try ask("Password of \(user) at \(invocation.node.absoluteString): ".printable)
      }
      return try firstLine(of: "-")
    }
    return try firstLine(of: file)
  }

  private func printURL() throws -> Int32 {
    guard let callback = arguments.value("--callback") else {
      throw UsageError("--print-url needs --callback")
    }
    let mode = arguments.value("--mode") ?? "multi-context"
    guard !SsoLogin.permissionsForMode(mode).isEmpty else {
      throw UsageError("--mode is multi-context, single-context or admin, not “\(mode)”")
    }
    let url = Mero.buildAuthLoginUrl(
      nodeUrl: invocation.node.absoluteString,
      options: AuthLoginOptions(
        callbackUrl: callback, mode: mode, packageName: arguments.value("--package")))
    invocation.report(url, ["url": .string(url)])
    return ExitCode.success
  }

  /// Takes the tokens of a login page, if it is that of the node they were asked of.
  private func adopt() async throws {
    let address = try firstLine(of: arguments.value("--callback-file") ?? "-")
    guard let callback = Mero.parseAuthCallback(address) else {
      throw ToolError("that is not an address that a login page leads to: there are no tokens in it")
    }
    let trust = NodeTrust.resolveTrustedNodeURL(
      candidate: callback.nodeUrl, initiated: invocation.node.absoluteString)
    guard case .trusted(let trusted) = trust else {
      throw ToolError("the tokens are of another node than \(invocation.node.absoluteString)")
    }
    let node = try NodeInvocation.address(trusted)
    // Tried in memory: what does not hold must not take the place of a session that does.
    let trial = MemoryTokenStore()
    let mero = invocation.client(of: node, keeping: trial)
    await mero.setTokenData(from: callback)
    switch try await mero.checkSession() {
    case .live: break
    case .ended(let error), .unknown(let error): throw error
    }
    guard let tokens = trial.getTokens() else { throw MeroError.noCredentials }
    NodeSessionFile(path: invocation.session.path, node: node).setTokens(tokens)
    try begun(tokens, at: node, as: nil)
  }

  private func begun(_ tokens: TokenData, at node: URL, as user: String?) throws {
    let path = invocation.session.path
    let kept = NodeSessionFile(path: path, node: node).getTokens()
    guard kept?.accessToken == tokens.accessToken else {
      throw ToolError("the session could not be kept: \(path) cannot be written")
    }
    var json: JSONObject = ["node": .string(node.absoluteString)]
    json["user"] = user.map { .string($0) }
    json["session"] = .string(path)
    let name = user.map { " as \($0)" } ?? ""
    invocation.report("logged in to \(node.absoluteString)\(name); the session is in \(path)", json)
  }

  /// The first line of a file, or of the standard input.
  private func firstLine(of file: String) throws -> String {
    let data = file == "-" ? try invocation.surroundings.inputLine() : try invocation.contents(of: file)
    guard let text = String(validating: data.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self) else {
      throw ToolError("\(file == "-" ? "the standard input" : file) is not text in UTF-8")
    }
    return text
  }
}
