import Foundation
import MeroHTTP
import MeroKit
import MeroWire

/// A subcommand's arguments with the node and the session they name.
struct NodeInvocation: Sendable {
  static let standardNode = "http://127.0.0.1:2528"

  let arguments: Arguments
  let surroundings: NodeSurroundings
  let node: URL
  let session: NodeSessionFile

  init(_ arguments: Arguments, _ surroundings: NodeSurroundings) throws {
    self.arguments = arguments
    self.surroundings = surroundings
    let path = arguments.value("--session") ?? NodeSessionFile.standardPath(surroundings.environment)
    let named = arguments.value("--node")
    node = try Self.address(named ?? NodeSessionFile.node(at: path) ?? Self.standardNode)
    session = NodeSessionFile(path: path, node: node)
  }

  var isJSON: Bool { arguments.has("--json") }

  /// An address as a person types it: without a scheme it is `https`, and `http` on this machine (10 §7).
  static func address(_ typed: String) throws -> URL {
    var text = typed.trimmingCharacters(in: .whitespaces)
    if !text.contains("://") {
      let host = URL(string: "http://\(text)")?.host ?? ""
      text = (Loopback.isLoopback(host: host) ? "http://" : "https://") + text
    }
    guard NodeOrigin(text) != nil, let url = URL(string: text), url.user == nil, url.password == nil,
      url.query == nil, url.fragment == nil
    else { throw UsageError("a node's address is one like https://node.example, not “\(typed)”") }
    return url
  }

  /// A client whose session is kept in the file, whether or not there is one; or in another store.
  func client(of node: URL? = nil, keeping store: (any TokenStore)? = nil) -> Mero {
    let node = node ?? self.node
    return Mero(
      config: MeroConfig(
        baseURL: node, timeout: 30, tokenStore: store ?? NodeSessionFile(path: session.path, node: node),
        allowInsecureHTTP: arguments.has("--insecure-http")),
      transport: surroundings.transport)
  }

  /// A client with a session.
  func connect() throws -> Mero {
    guard session.getTokens() != nil else {
      throw NodeToolError(
        "there is no session with \(node.absoluteString); begin one with mero node login --user NAME")
    }
    return client()
  }

  /// The arguments that are no options, so many of them.
  func positional(_ count: ClosedRange<Int>, _ what: String) throws -> [String] {
    guard count.contains(arguments.positional.count) else { throw UsageError("it takes \(what)") }
    return arguments.positional
  }

  /// Writes a result: a line for people, or an object for machines.
  func report(_ text: @autoclosure () -> String, _ json: @autoclosure () -> JSONObject) {
    surroundings.print(isJSON ? JSONValue.object(json()).text.printableJSON : text().printable)
  }

  /// Writes a value as JSON, whichever way results are asked for.
  func report(_ value: JSONValue, _ json: @autoclosure () -> JSONObject) {
    surroundings.print((isJSON ? JSONValue.object(json()) : value).text.printableJSON)
  }

  /// Does work that Ctrl-C ends; nil when it did.
  func untilInterrupted<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    let interrupted = surroundings.interrupted
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        await interrupted()
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { return nil }
      return first
    }
  }
}
