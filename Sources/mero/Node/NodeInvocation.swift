import Foundation
import MeroKit

/// A subcommand's arguments with the node and the session they name.
struct NodeInvocation: ToolInvocation {
  static let standardNode = "http://127.0.0.1:2528"

  let arguments: Arguments
  let surroundings: ToolSurroundings
  let node: URL
  let session: NodeSessionFile

  init(_ arguments: Arguments, _ surroundings: ToolSurroundings) throws {
    self.arguments = arguments
    self.surroundings = surroundings
    let path = arguments.value("--session") ?? NodeSessionFile.standardPath(surroundings.environment)
    let named = arguments.value("--node")
    node = try Self.address(named ?? NodeSessionFile.node(at: path) ?? Self.standardNode)
    session = NodeSessionFile(path: path, node: node)
  }

  /// An address as a person types it.
  static func address(_ typed: String) throws -> URL { try TypedAddress.url(typed, whose: "a node's") }

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
      throw ToolError(
        "there is no session with \(node.absoluteString); begin one with mero node login --user NAME")
    }
    return client()
  }
}
