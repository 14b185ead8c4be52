import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport

/// What `mero local` serves for accounts without a node: relays, the cloud's directory, a wallet's page and a registry.
struct LocalServices {
  static let options: Set<String> = ["--relay-port", "--manager-port", "--wallet-port", "--registry-port"]

  let server: LocalAccounts

  /// nil with `--no-accounts`.
  ///
  /// - Parameter mirror: serves signed releases at the directory's address; nil for none.
  init?(_ arguments: Arguments, mirror: FakeReleaseMirror?) throws {
    guard !arguments.has("--no-accounts") else {
      for option in Self.options.sorted() where arguments.value(option) != nil {
        throw UsageError("\(option) does not go with --no-accounts")
      }
      return nil
    }
    var ports = LocalAccounts.Ports()
    let first = try arguments.port("--relay-port", default: ports.relays[0])
    guard first < UInt16.max else { throw UsageError("--relay-port \(first) leaves no room for two relays") }
    ports.relays = first == 0 ? [0, 0] : [first, first + 1]
    ports.manager = try arguments.port("--manager-port", default: ports.manager)
    ports.wallet = try arguments.port("--wallet-port", default: ports.wallet)
    ports.registry = try arguments.port("--registry-port", default: ports.registry)
    server = LocalAccounts(ports: ports, mirror: mirror ?? FakeReleaseMirror())
  }

  func start() async throws {
    do {
      try await server.start()
    } catch ListenerError.portTaken(let port) {
      throw LocalError(
        "port \(port) is taken; choose another with \(option(of: port)), or serve no accounts with --no-accounts"
      )
    }
  }

  private func option(of port: UInt16) -> String {
    let ports = server.ports
    switch port {
    case ports.manager: return "--manager-port"
    case ports.wallet: return "--wallet-port"
    case ports.registry: return "--registry-port"
    default: return "--relay-port"
    }
  }

  /// What to tell of them.
  func lines() async -> [String] {
    let relays = await server.relayURLs.enumerated().map { "relay \($0 + 1)  \($1.absoluteString)" }
    let others = [
      ("cloud", await server.managerURL), ("wallet", await server.walletURL),
      ("registry", await server.registryURL),
    ]
    return relays
      + others.compactMap { name, url in
        url.map { "\(name.padding(toLength: 8, withPad: " ", startingAt: 0)) \($0.absoluteString)" }
      }
  }

  /// How to begin with them.
  static let hint = """
    accounts without a node: mero account sign-in, then mero account found --package com.calimero.key-value
    """
}
