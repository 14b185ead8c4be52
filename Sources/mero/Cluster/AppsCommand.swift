import MeroAPI
import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let apps = ClusterSubcommand(
    name: "apps", summary: "List, make, see and delete apps",
    help: """
      usage: mero apps [list] [--org ORG] [--package NAME]
             mero apps create NAME --package NAME --org ORG [--version V] [--args JSON]
             mero apps show APP
             mero apps delete APP

      Deleting takes the passkey.

        --org ORG       the organization
        --package NAME  the package, such as com.calimero.chat
        --version V     which version of it (the newest)
        --args JSON     the arguments of the app's initialisation
      """,
    values: ["--org", "--package", "--version", "--args"]
  ) { try await AppsCommand(invocation: $0).run() }
}

private struct AppsCommand {
  let invocation: ClusterInvocation
  private var client: CalimeroClient { invocation.client }

  func run() async throws -> Int32 {
    let words = invocation.arguments.positional
    switch (words.first, words.count) {
    case (nil, 0), ("list", 1): try await list()
    case ("create", 2): show(try await create(words[1]))
    case ("show", 2): show(try await client.apps.get(app: words[1]))
    case ("delete", 2):
      try await client.apps.delete(app: words[1])
      invocation.report("deleted", ["appId": .string(words[1]), "deleted": true])
    default: throw invocation.misuse("it takes list, create NAME, show APP or delete APP")
    }
    return ExitCode.success
  }

  private func list() async throws {
    let arguments = invocation.arguments
    let org = arguments.value("--org")
    var isEmpty = true
    for try await app in client.apps.all(org: org, package: arguments.value("--package")) {
      isEmpty = false
      show(app)
    }
    // An organization without apps is told from one that is not there.
    if isEmpty, let org { _ = try await client.orgs.get(org: org) }
  }

  private func create(_ name: String) async throws -> Components.Schemas.App {
    let arguments = invocation.arguments
    guard let package = arguments.value("--package"), let org = arguments.value("--org") else {
      throw UsageError("create needs --package and --org")
    }
    return try await client.apps.create(
      name: name, package: package, org: org, version: arguments.value("--version"),
      initArgs: try arguments.value("--args").map { try invocation.json($0, "--args") },
      idempotencyKey: MeroRandom.system.uuid())
  }

  private func show(_ app: Components.Schemas.App) {
    invocation.report(
      "\(app.appId)  \(app.state.rawValue)  \(app.role.rawValue)  \(app.package) \(app.version)  \(app.name)",
      (try? app.jsonObject()) ?? [:])
  }
}
