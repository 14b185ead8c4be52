import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport

/// The single node that `mero local` serves beside the cluster, for programs that speak the protocol of nodes.
struct LocalSingleNode {
  static let options: Set<String> = ["--node-port", "--login-callback"]

  let server: LocalNode
  /// The contexts it begins with, by what runs in them.
  let contexts: [(package: String, id: String)]

  /// nil with `--no-node`.
  init?(_ arguments: Arguments) throws {
    let port = try arguments.port("--node-port", default: 2528)
    guard !arguments.has("--no-node") else {
      for option in Self.options where arguments.value(option) != nil {
        throw UsageError("\(option) does not go with --no-node")
      }
      return nil
    }
    let node = FakeNode(url: "http://127.0.0.1:\(port)")
    node.awaitOwner()
    for address in arguments.all("--login-callback") where !node.allowLoginCallback(address) {
      throw UsageError("--login-callback takes an address such as notes://auth, not “\(address)”")
    }
    contexts = [FakePackage.chat, .keyValue].map { package in
      (package.name, node.makeContext(of: package, name: package.name))
    }
    server = LocalNode(port: port, node: node)
  }

  func start() async throws {
    do {
      try await server.start()
    } catch ListenerError.portTaken(let port) {
      throw LocalError(
        "port \(port) is taken, perhaps by a node of yours; choose another with --node-port, or none with --no-node"
      )
    }
  }

  /// What to tell of it.
  func lines() async -> [String] {
    guard let url = await server.url?.absoluteString else { return [] }
    return [
      "single   \(url) (login page \(url)/auth/login)"
    ] + contexts.map { "context  \($0.id) (\($0.package))" }
  }
}
