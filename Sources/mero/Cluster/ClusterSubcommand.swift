import Foundation
import MeroKit
import MeroWire

/// A subcommand that uses a Calimero 1.0 cluster as a person or a machine, such as `mero call`.
struct ClusterSubcommand: Sendable {
  let name: String
  let summary: String
  /// What it takes and does; the options that all share come after it.
  let help: String
  var flags: Set<String> = []
  var values: Set<String> = []
  /// Whether it begins a session, whatever one is kept.
  var beginsSession = false
  let work: @Sendable (ClusterInvocation) async throws -> Int32

  static let all: [ClusterSubcommand] = [
    .signUp, .signIn, .signOut, .whoami, .orgs, .apps, .call, .view, .events, .presence, .blobs, .keys,
  ]

  static let sharedOptions = """
      --node URL        a node of the cluster; may be given several times, and the first is asked first (by default the one
                        of the session, else http://127.0.0.1:2501, where “mero local” serves one)
      --development     take nodes on this machine that are not attested; is said by itself where all nodes are local
      --session FILE    where the session is kept (by default cluster-session.json in your data folder, $XDG_DATA_HOME or
                        ~/.local/share), readable by its owner alone; the cluster's other nodes are remembered beside it
      --passkeys FILE   where passkeys in software are kept (by default passkeys.json beside it), readable by its owner alone
      --api-key FILE    act with the API key in this file, - for the standard input, in place of a session; the
                        variable MERO_API_KEY does the same
      --json            one JSON object for each result
      --help            this text

    The exit code is 0 when it did what was asked, 1 when something failed, 2 when the arguments do not fit, 3 when nobody is
    signed in (any more), 4 when the cluster or the app refused, 5 when no node could be reached, none answered what only
    reads, or all are busy, 6 when what was asked for may have been done or not, 7 when no node could be trusted, 130 when
    Ctrl-C ended it.
    """

  func run(_ words: [String], in surroundings: ToolSurroundings = ToolSurroundings()) async -> Int32 {
    var hasKey = false
    var namesNodes = false
    do {
      let arguments = try Arguments(
        words, flags: flags.union(["--json", "--development"]),
        values: values.union(["--node", "--session", "--passkeys", "--api-key"]))
      guard !arguments.has("--help") else {
        surroundings.print("\(help)\n\n\(Self.sharedOptions)")
        return ExitCode.success
      }
      let invocation = try ClusterInvocation(arguments, surroundings, beginsSession: beginsSession)
      hasKey = invocation.hasKey
      namesNodes = !arguments.all("--node").isEmpty
      do {
        let code = try await work(invocation)
        await invocation.rememberNodes()
        await invocation.client.close()
        return code
      } catch {
        await invocation.client.close()
        throw error
      }
    } catch let error as UsageError {
      surroundings.tell("mero \(name): \(error.text.printable)\nSee: mero \(name) --help")
      return ExitCode.usage
    } catch let error as CalimeroError {
      surroundings.tell(
        "mero \(name): \(text(error).printable)\(advice(error, hasKey: hasKey, namesNodes: namesNodes))")
      return Self.exitCode(error)
    } catch {
      surroundings.tell("mero \(name): \("\(error)".printable)")
      return ExitCode.failure
    }
  }

  /// What an error means to a script.
  static func exitCode(_ error: CalimeroError) -> Int32 {
    switch error {
    case .signedOut: 3
    case .api(let refusal) where refusal.code == .passkeyRejected: 4
    case .api(let refusal) where refusal.status == 401: 3
    // Also one that is busy: a script must look before it repeats what may have run.
    case .api(let refusal) where refusal.ran == .unknown: 6
    case .api(let refusal) where refusal.status == 429 || refusal.status == 503: ExitCode.unreachable
    case .api, .confirm, .operatorSignature, .consent, .stream: 4
    case .unreachable: ExitCode.unreachable
    case .unknownOutcome(let outcome): outcome.changesNothing ? ExitCode.unreachable : 6
    case .attestation, .channel: ExitCode.untrusted
    case .invalidInput where !error.isLocalFailure: ExitCode.usage
    default: ExitCode.failure
    }
  }

  private static let signInAdvice = "\nSign in with mero signin, or make an account with mero signup NAME."

  /// The error in words that fit the tool.
  private func text(_ error: CalimeroError) -> String {
    switch error {
    case .signedOut(.never): "nobody is signed in"
    case .api(let refusal) where refusal.status == 401 && refusal.code != .passkeyRejected:
      "the cluster does not take this credential (any more): \(refusal.code.rawValue)"
    default: "\(error)"
    }
  }

  private func advice(_ error: CalimeroError, hasKey: Bool, namesNodes: Bool) -> String {
    let credentialAdvice =
      hasKey
      ? "\nThe API key is revoked, or its time is over; mero keys create makes another." : Self.signInAdvice
    let unknownPasskeyAdvice =
      "\nThis cluster knows no passkey that is kept here (--passkeys); mero signup NAME makes an account with a new one."
    return switch error {
    case .signedOut: credentialAdvice
    case .api(let refusal) where refusal.code == .passkeyRejected: unknownPasskeyAdvice
    case .api(let refusal) where refusal.status == 401: credentialAdvice
    case .passkey(.noCredential) where beginsSession: unknownPasskeyAdvice
    case .confirm(.required), .passkey(.noCredential):
      "\nThe passkey file (--passkeys) holds no passkey of this account."
    case .attestation(let failure) where failure.reason == .wrongCluster:
      """

      The session that is kept is of another cluster, perhaps of one that is gone: a “mero local” without --data begins anew
      each time. mero signup NAME makes an account on this one, and mero signout forgets the session.
      """
    case .unreachable where !namesNodes:
      "\nName a node with --node URL; “mero local” serves a cluster on this machine."
    case .unknownOutcome(let outcome) where values.contains("--key"):
      outcome.idempotencyKey.map { "\nTo repeat it safely: --key \($0.printable)" } ?? ""
    default: ""
    }
  }
}
