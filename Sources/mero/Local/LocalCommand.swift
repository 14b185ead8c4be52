import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport
import MeroWire

/// `mero local`: a three-node cluster, a single node, and what accounts without a node need, served until Ctrl-C.
enum LocalCommand {
  static let help = """
    usage: mero local [OPTIONS]

    Serves a Calimero 1.0 cluster of three nodes on 127.0.0.1: real sealed channel, real passkey checks, real state,
    mock attestation (accepted by the policy .development only). The package com.calimero.chat is installed.

    Node 1 has the page on which a person lets an app sign in as them (beginConsent, finishConsent): a name is enough there.
    It sends people back to http://127.0.0.1/callback, at any port, and to what --consent-callback adds.

    Everything is in memory and gone when it ends, unless --data names a folder: then the cluster's accounts, sessions,
    keys, organizations, apps and their events survive, also when it is killed. The single node and what accounts without
    a node need are not kept.

    Beside it, a single node of the node protocol, for Mero and “mero node”: logins and a login page for browsers,
    JSON-RPC, the admin API, event streams, presence and blobs. Whoever logs in first chooses the name and the password
    of its owner. It begins with a context of com.calimero.chat and one of com.calimero.key-value.

    And what accounts without a node need, for “mero account”: two relays, the cloud's directory, a wallet's page and a
    registry. Whoever enters a name on the wallet's page is that account: the account follows from the name, and is the
    same after a restart, though what it wrote is gone. The relays show mock quotes, also with --tdx.

    With --tdx the nodes of the cluster answer with TDX quotes, collateral and signed releases instead, made for hardware that does
    not exist, and the policy .production accepts them from a client that was given the two test roots.

      --port PORT          the first node's port; the others follow it (2501; 0: any free ones)
      --nodes COUNT        how many nodes, 1 to 9 (3)
      --data DIR           keeps the cluster in a database in this folder, which is made if it is missing; one process at a
                           time
      --consent-callback ADDRESS
                           where its consent page may send people besides this machine, such as notes://consent; may be
                           given several times
      --control-port PORT  the control listener's port (2500; 0: any free one)
      --node-port PORT     the single node's port (2528; 0: any free one)
      --no-node            no single node
      --login-callback ADDRESS
                           where its login page may send people besides this machine, such as notes://auth; may be
                           given several times
      --relay-port PORT    the first relay's port; the other follows it (2540; 0: any free ones)
      --manager-port PORT  the directory's port (2545; 0: any free one)
      --wallet-port PORT   the port of the wallet's page (2546; 0: any free one)
      --registry-port PORT the registry's port (2547; 0: any free one)
      --no-accounts        nothing for accounts without a node
      --tdx                attestation as on real hardware, under roots of this cluster's own
      --mirror-port PORT   with --tdx: a port of its own for the release mirror, which is otherwise at the directory's
                           address (with --no-accounts 2545; 0: any free one)
      --roots DIR          with --tdx: where the roots are written, as quote-root.der and sigstore-root.json
      --help               this text

    The control listener stops and starts nodes and sets faults while your program runs:
      curl -X POST http://127.0.0.1:2500/nodes/1/stop
      curl -X POST http://127.0.0.1:2500/nodes/1/start
      curl -X POST http://127.0.0.1:2500/nodes/2/fault -d '{"fault":"loseAnswer","times":1}'
      curl -X POST http://127.0.0.1:2500/nodes/2/fault -d '{"fault":"attestation","present":"debugImage"}'
      curl -X POST http://127.0.0.1:2500/nodes/2/fault -d '{"fault":"clear"}'
      curl -X POST http://127.0.0.1:2500/node/stop
      curl -X POST http://127.0.0.1:2500/node/fault -d '{"fault":"expireTokens"}'
      curl -X POST http://127.0.0.1:2500/relays/1/stop
      curl -X POST http://127.0.0.1:2500/relays/1/start
      curl -X POST http://127.0.0.1:2500/relays/1/lose
      curl -X POST http://127.0.0.1:2500/mirror/stop
      curl http://127.0.0.1:2500/state
    A relay that is lost comes back with other keys when it is started.
    What a node can present: \(LocalTDX.presentable).
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words, flags: ["--tdx", "--no-node", "--no-accounts"],
      values: LocalSingleNode.options.union(LocalServices.options).union(LocalConsent.options).union([
        "--port", "--nodes", "--control-port", "--mirror-port", "--roots", "--data",
      ]))
    if arguments.has("--help") {
      Console.line(help)
      return ExitCode.success
    }
    try arguments.refusePositional()
    let tdx = try LocalTDX(arguments)
    let single = try LocalSingleNode(arguments)
    let ports = try ports(arguments)
    let data = try LocalData(arguments)
    let cloud =
      try data?.cloud(nodes: ports.count, tdx: tdx?.pki) ?? FakeCloud(nodes: ports.count, tdx: tdx?.pki)
    try LocalConsent.apply(arguments, to: cloud)
    let services = try LocalServices(arguments, mirror: cloud.releaseMirror)
    let cluster = LocalCluster(ports: ports, cloud: cloud, mirrorPort: tdx?.mirrorPort)
    let control = ControlServer(
      port: try arguments.port("--control-port", default: 2500), cluster: cluster, node: single?.server,
      accounts: services?.server)
    let interrupt = InterruptSignal()

    try tdx?.writeRoots()
    try await start(cluster, tdx)
    let controlPort: UInt16
    do {
      try await single?.start()
      try await services?.start()
      controlPort = try start(control)
    } catch {
      await services?.server.stop()
      await single?.server.stop()
      await cluster.stop()
      throw error
    }
    await announce(cluster, data, tdx, single, services, controlPort: controlPort)

    await interrupt.wait()
    Console.error("stopping …")
    await control.stop()
    await services?.server.stop()
    await single?.server.stop()
    await cluster.stop()
    data?.keeper.close()
    return ExitCode.success
  }

  private static func ports(_ arguments: Arguments) throws -> [UInt16] {
    let first = try arguments.port("--port", default: 2501)
    guard let count = Int(arguments.value("--nodes") ?? "3"), (1...9).contains(count) else {
      throw UsageError("--nodes takes a number from 1 to 9")
    }
    guard first > 0 else { return Array(repeating: 0, count: count) }
    guard Int(first) + count - 1 <= Int(UInt16.max) else {
      throw UsageError("--port \(first) leaves no room for \(count) nodes")
    }
    return (0..<count).map { first + UInt16($0) }
  }

  private static func start(_ cluster: LocalCluster, _ tdx: LocalTDX?) async throws {
    do {
      try await cluster.start()
    } catch ListenerError.portTaken(let port) {
      throw LocalError(
        "port \(port) is taken, perhaps by another “mero local”; end that one, or choose others with --port"
          + (port == tdx?.mirrorPort ? " and --mirror-port" : ""))
    }
  }

  private static func start(_ control: ControlServer) throws -> UInt16 {
    do { return try control.start() } catch ListenerError.portTaken(let port) {
      throw LocalError("port \(port) is taken; choose another with --control-port")
    }
  }

  private static func announce(
    _ cluster: LocalCluster, _ data: LocalData?, _ tdx: LocalTDX?, _ single: LocalSingleNode?,
    _ services: LocalServices?,
    controlPort: UInt16
  ) async {
    let urls = await cluster.nodeURLs
    for (index, url) in urls.enumerated() { Console.line("node \(index + 1)   \(url.absoluteString)") }
    Console.line("control  http://127.0.0.1:\(controlPort)")
    Console.line("cluster  \(Hex.encode(cluster.cloud.clusterId))")
    if let data { Console.line("data     \(data.keeper.path)") }
    for notice in cluster.cloud.notices { Console.error("note: \(notice)") }
    var trust = "policy: .development"
    let mirrors = [await cluster.mirrorURL, await services?.server.managerURL]
    if let tdx, let mirror = mirrors.lazy.compactMap({ $0 }).first?.absoluteString {
      Console.line("mirror   \(mirror)")
      if let directory = tdx.roots?.path { Console.line("roots    \(directory)/{\(LocalTDX.rootFiles)}") }
      trust = "policy: .production,\n  releaseMirrorURL: \"\(mirror)\", trustRoots: roots"
    }
    for line in await single?.lines() ?? [] { Console.line(line) }
    for line in await services?.lines() ?? [] { Console.line(line) }
    let address = await single?.server.url?.absoluteString ?? ""
    let option = address == NodeInvocation.standardNode ? "" : " --node \(address)"
    let node =
      single == nil ? "" : "\nthe single node: mero node login --user NAME\(option), then mero node contexts"
    let accounts = services == nil ? "" : "\n\(LocalServices.hint)"
    let first = urls[0].absoluteString
    let signUp = "mero signup NAME" + (first == ClusterInvocation.standardNode ? "" : " --node \(first)")
    let others = urls.dropFirst().map { "\"\($0.absoluteString)\"" }.joined(separator: ", ")
    Console.line(
      """

      connect: CalimeroClient(CalimeroClientOptions(
        baseUrl: "\(first)", nodes: [\(others)], \(trust)))
      package: com.calimero.chat (call send_message, view get_messages)
      from the command line: \(signUp)\(node)\(accounts)
      Ctrl-C ends it.
      """)
  }
}

/// The local cluster could not be served.
struct LocalError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
