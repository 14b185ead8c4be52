import Foundation
import MeroHTTP
import MeroKit
import MeroTrust
import MeroWire

/// `mero attest`: checks a node's attestation, or a quote in files, and says step by step what holds.
enum AttestCommand {
  static let help = """
    usage: mero attest --node URL [OPTIONS]
           mero attest URL [OPTIONS]
           mero attest --quote FILE --collateral FILE [OPTIONS]

    Asks a node for its attestation, checks it as a client would before it sends the node anything, and prints what
    was checked, where it stopped, and what the quote says. Or does the same offline with a quote in files; then an
    image has to be named for the quote to be trusted.

    A node:
      --node URL            the node; the URL by itself means the same
      --policy NAME         production (only real hardware; the default), or development (also a mock quote from this
                            machine, which proves nothing). Unlike the commands that use a cluster, it takes production
                            for nodes of this machine too: what is asked here is what a node proves
      --development         the same as --policy development
      --mirror URL          where signed releases are fetched (https://cloud.calimero.network)

    Files:
      --quote FILE          the quote: its bytes, or the hex or base64 text of them
      --collateral FILE     what Intel signed about the platform: JSON as a node sends it
      --report-data HEX     the 64 bytes that the quote has to commit to; without it nobody looks at them
      --any-image           accept whatever image the quote shows

    Either:
      --releases FILE       accept the image of this signed release; may be given several times. Either what the
                            mirror answers, or a published-mrtds.json with its .bundle.json beside it
      --measurements FILE   accept these images: a JSON object with mrtd and rtmr0 to rtmr3, or an array of such
      --profile NAME        which profile of a release is accepted (locked-read-only)
      --min-release VERSION the oldest release that is accepted (2.3.109; with --releases: any)
      --tcb STATUS          accept this status of the platform only; may be given several times. Without it: those
                            that the release accepts, and UpToDate alone where no release is involved
      --at UNIX             check as of this time, in seconds since 1970 (now)
      --root FILE           what quotes have to lead to, in DER or PEM, in place of Intel's root; for tests
      --sigstore-root FILE  what releases have to lead to, as a trusted_root.json; for tests
      --json                one JSON object, in which every key is always there
      --help                this text

    The exit code is 0 only when all holds, 1 when something failed here, 2 when the arguments do not fit, 5 when the node
    or the mirror could not be reached or is busy, 7 when the node or the quote cannot be trusted.
    """

  static func run(_ words: [String]) async throws -> Int32 {
    try await run(words, transport: URLSessionTransport(), print: Console.line)
  }

  static func run(
    _ words: [String], transport: any HTTPTransport, print: (String) -> Void
  ) async throws -> Int32 {
    let arguments = try Arguments(
      words, flags: ["--json", "--any-image", "--development"],
      values: QuoteFiles.options.union(ImageChoice.options).union([
        "--node", "--policy", "--mirror", "--report-data",
      ]))
    if arguments.has("--help") {
      print(help)
      return ExitCode.success
    }
    let finding =
      arguments.value("--quote") == nil
      ? try await AttestedURL(arguments, transport: transport).check()
      : try await AttestedFiles(arguments).check()
    if arguments.has("--json") {
      print(finding.json.text)
    } else {
      for line in finding.lines { print(line) }
    }
    return finding.exitCode
  }
}

/// A node that is asked for its attestation.
struct AttestedURL {
  private let node: URL
  private let policy: String
  private let judge: AttestationJudge
  private let transport: any HTTPTransport

  init(_ arguments: Arguments, transport: any HTTPTransport) throws {
    for name in ["--collateral", "--report-data"] where arguments.value(name) != nil {
      throw UsageError("\(name) goes with --quote")
    }
    if arguments.has("--any-image") { throw UsageError("--any-image goes with --quote") }
    let named = arguments.all("--node") + arguments.positional
    guard let text = named.first else { throw UsageError("it needs --node, or --quote") }
    guard named.count == 1 else { throw UsageError("it takes one node") }
    let typed = try TypedAddress.url(text, whose: "a node's").absoluteString
    let mirror: URL
    do throws(CalimeroError) {
      node = try ClientConfiguration.nodeURL(typed)
      mirror = try ClientConfiguration.nodeURL(
        arguments.value("--mirror") ?? "https://cloud.calimero.network", calling: "a release mirror's")
    } catch {
      throw UsageError("\(error)")
    }
    let isDevelopment = arguments.has("--development")
    policy = arguments.value("--policy") ?? (isDevelopment ? "development" : "production")
    guard !isDevelopment || policy == "development" else {
      throw UsageError("--development says --policy development, not “\(policy)”")
    }
    guard policy == "production" || policy == "development" else {
      throw UsageError("--policy is production or development, not “\(policy)”")
    }
    let images =
      try ImageChoice(arguments)
      ?? .releases(
        SignedReleases(
          ReleaseMirror(mirror.absoluteString, transport: transport),
          oldest: try ImageChoice.oldestRelease(arguments) ?? .oldestAccepted,
          profile: ImageChoice.profile(arguments), root: try ImageChoice.sigstoreRoot(arguments)))
    judge = AttestationJudge(
      images: images, allowsMock: policy == "development", statuses: try ImageChoice.statuses(arguments),
      root: try QuoteFiles.root(arguments), time: try QuoteFiles.time(arguments) ?? Date())
    try judge.requireSense()
    self.transport = transport
  }

  func check() async throws -> AttestationFinding {
    let nonce = MeroRandom.system.bytes(32)
    func finding(_ verdict: AttestationFinding.Verdict, _ reason: String?, _ text: String)
      -> AttestationFinding
    {
      AttestationFinding(
        source: node.absoluteString, policy: policy, verdict: verdict, reason: reason, text: text,
        time: judge.time)
    }
    let claim: AttestationClaim
    do {
      let timeout = Timeouts().attest
      claim = try await withDeadline(timeout, clock: .system) {
        try await AttestationQuestion(transport: transport, timeout: timeout).ask(node, nonce: nonce)
      }
    } catch AttestationTrouble.unreachable(let text) {
      return finding(.unavailable, nil, text)
    } catch let error as TransportError {
      return finding(.unavailable, nil, error.text)
    } catch AttestationTrouble.refused(.attestation(let failure)) {
      return finding(.refused, failure.reason.rawValue, failure.text)
    } catch AttestationTrouble.refused(let error) {
      return finding(.refused, TrustRefusal.Reason.malformed.rawValue, "\(error)")
    }
    var found = try await judge.finding(
      on: claim.evidence(nonce: nonce, host: node.host ?? ""), source: node.absoluteString, policy: policy)
    found.clusterId = claim.clusterId
    found.transportKey = claim.transportKey
    return found
  }
}

/// A quote in files.
struct AttestedFiles {
  private let name: String
  private let files: QuoteFiles
  private let expected: [UInt8]?
  private let images: ImageChoice?
  private let statuses: [TCBStatus]?

  init(_ arguments: Arguments) throws {
    for name in ["--node", "--policy", "--mirror", "--development"]
    where arguments.value(name) != nil || arguments.has(name) {
      throw UsageError("\(name) goes with a node, not with --quote")
    }
    try arguments.refusePositional()
    name = arguments.value("--quote") ?? ""
    expected = try arguments.value("--report-data").map { text in
      guard let bytes = try? Hex.decode(text, count: 64) else {
        throw UsageError("--report-data takes 128 hex characters")
      }
      return bytes
    }
    statuses = try ImageChoice.statuses(arguments)
    guard let files = try QuoteFiles(arguments) else { throw UsageError("it needs --quote") }
    self.files = files
    images = try ImageChoice(arguments) ?? (arguments.has("--any-image") ? .any : nil)
  }

  func check() async throws -> AttestationFinding {
    let judge = AttestationJudge(
      images: images ?? .any, allowsMock: false, statuses: statuses, root: files.root, time: files.time)
    let reportData = expected ?? shownReportData()
    let collateral = try files.collateral.map { text -> JSONValue in
      do throws(WireError) {
        return try JSONValue(parsing: text)
      } catch {
        throw FileProblem("the collateral", "is not JSON: \(error.reason)")
      }
    }
    let evidence = QuoteEvidence(
      quote: files.quote, collateral: collateral, nonce: Array(reportData.prefix(32)),
      expectedReportData: reportData, host: "the node", release: nil)
    var finding = try await judge.finding(on: evidence, source: name, policy: images?.name ?? "none")
    if expected == nil {
      finding.markNotChecked(.reportData, "no --report-data was given to compare it with")
    }
    if case .any? = images {
      finding.markNotChecked(.measurements, "any image was to be accepted")
    }
    if images == nil { finding.requireImage() }
    return finding
  }

  /// What the quote commits to itself, for comparing it with nothing; zeros when there is no reading it.
  private func shownReportData() -> [UInt8] {
    let shown =
      MockQuote.isMock(files.quote)
      ? try? MockQuote.reportData(of: files.quote) : try? TDXQuote.reportData(of: files.quote)
    return shown ?? [UInt8](repeating: 0, count: 64)
  }
}
