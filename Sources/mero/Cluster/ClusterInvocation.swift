import Foundation
import MeroHTTP
import MeroKit
import MeroWire

/// A subcommand's arguments with the client they ask for.
struct ClusterInvocation: ToolInvocation {
  static let standardNode = "http://127.0.0.1:2501"

  let arguments: Arguments
  let surroundings: ToolSurroundings
  let client: CalimeroClient
  let passkey: FilePasskey
  let nodes: [URL]
  private let policy: TeePolicy
  private let sessionFile: SessionFile
  private let knownNodes: KnownNodes
  /// The session that was kept before one was begun here.
  let former: StoredSession?
  /// Whether it acts with an API key in place of a session.
  let hasKey: Bool

  init(_ arguments: Arguments, _ surroundings: ToolSurroundings, beginsSession: Bool = false) throws {
    self.arguments = arguments
    self.surroundings = surroundings
    let folder = surroundings.dataFolder
    let session = arguments.value("--session") ?? "\(folder)/cluster-session.json"
    passkey = FilePasskey(arguments.value("--passkeys") ?? "\(folder)/passkeys.json")
    let named = arguments.all("--node")
    sessionFile = SessionFile(path: session, isNamed: arguments.value("--session") != nil)
    let kept = try sessionFile.session()
    former = kept
    let remembered = KnownNodes(beside: session)
    knownNodes = remembered
    let known = named.isEmpty ? kept.flatMap { remembered.nodes(of: $0) } ?? [] : []
    let typed = named.isEmpty ? [kept?.issuedBy?.absoluteString ?? Self.standardNode] : named
    let first = try typed.map { try TypedAddress.url($0, whose: "a node's") }
    nodes = first + known.filter { !first.contains($0) }
    let isLocal = first.allSatisfy { Loopback.isLoopback(host: $0.host ?? "") }
    policy = isLocal || arguments.has("--development") ? .development : .production
    var options = CalimeroClientOptions(
      baseUrl: nodes[0].absoluteString, nodes: nodes.dropFirst().map(\.absoluteString),
      policy: policy,
      sessionStore: beginsSession
        ? NewSessionStore(file: FileSessionStore(session)) : FileSessionStore(session),
      transport: surroundings.transport)
    options.apiKey = try Self.apiKey(arguments, surroundings)
    guard options.apiKey == nil || !beginsSession else {
      throw UsageError("an API key needs no session: leave out --api-key (MERO_API_KEY), or this command")
    }
    hasKey = options.apiKey != nil
    options.passkey = passkey
    options.deviceLabel = "mero"
    client = CalimeroClient(options)
  }

  /// Ends the session that a new one took the place of, as far as the cluster still knows it.
  func endFormer() async {
    guard let former else { return }
    let client = CalimeroClient(
      CalimeroClientOptions(
        baseUrl: nodes[0].absoluteString, nodes: nodes.dropFirst().map(\.absoluteString), policy: policy,
        clusterId: former.clusterId, sessionStore: MemorySessionStore(former),
        transport: surroundings.transport))
    await client.signOut()
    await client.close()
  }

  /// Remembers the cluster's nodes for the next command, which may find the first of them away.
  func rememberNodes() async {
    guard !hasKey, arguments.all("--node").isEmpty, let session = try? sessionFile.session(),
      knownNodes.nodes(of: session) == nil, let list = try? await client.publicApi.nodeList()
    else { return }
    knownNodes.remember(list.nodes.compactMap { URL(string: $0.url) }, of: session)
  }

  private static func apiKey(_ arguments: Arguments, _ surroundings: ToolSurroundings) throws -> String? {
    let text: String
    switch arguments.value("--api-key") {
    case "-"?:
      // One input cannot be both.
      guard !arguments.positional.contains("-"), arguments.value("--invite") != "-" else {
        throw UsageError("the API key and something else cannot both be read from the standard input")
      }
      text = String(decoding: try surroundings.inputLine(), as: UTF8.self)
    case let file?:
      do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
        throw ToolError("\(file) cannot be read: \(error.localizedDescription)")
      }
    case nil:
      guard let given = surroundings.environment["MERO_API_KEY"], !given.isEmpty else { return nil }
      text = given
    }
    let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard key.hasPrefix("cmk_"), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw UsageError("what should be an API key does not begin with cmk_")
    }
    return key
  }

  /// A secret that is kept off the command line: what a file holds, or for `-` the first line of the standard input.
  func secret(in file: String) throws -> String {
    let bytes = file == "-" ? try surroundings.inputLine() : try contents(of: file)
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A whole number that an option gives.
  func number(_ option: String) throws -> UInt64? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = UInt64(text) else { throw UsageError("\(option) takes a whole number, not “\(text)”") }
    return number
  }

  /// A time that an option gives in seconds, in milliseconds.
  func milliseconds(_ option: String) throws -> Int64? {
    guard let seconds = try number(option) else { return nil }
    // A hundred years, which any clock can be counted on by.
    guard (1...3_155_760_000).contains(seconds) else {
      throw UsageError("\(option) takes a number of seconds, at least 1")
    }
    return Int64(seconds) * 1000
  }

  /// Fails as the cluster does where an app's events cannot be followed: a stream would wait for a cluster that is away, and
  /// whoever types a command wants to be told instead.
  func checkEvents(of app: String) async throws {
    _ = try await client.eventPage(app, limit: 1)
  }
}

extension Encodable {
  /// The value as an object for `--json`.
  func jsonObject() throws -> JSONObject { try JSONValue(encoding: self).objectValue ?? [:] }
}

/// The session's file for who signs in: what it holds is replaced and never used, since it may be another cluster's, which
/// the client would then look for.
private struct NewSessionStore: SessionStore {
  let file: FileSessionStore

  func load() -> StoredSession? { nil }
  func save(_ session: StoredSession) throws { try file.save(session) }
  func clear() throws { try file.clear() }

  func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    try await file.withLock(body)
  }
}
