import MeroKit
import MeroWire

extension AccountSubcommand {
  static let found = AccountSubcommand(
    name: "found", summary: "Found a namespace for an app",
    help: """
      usage: mero account found --package NAME [--version VERSION] [--name TEXT] [OPTIONS]

      Founds a namespace through the account's relay, for an app that the registry has, and has the cloud host it. Others
      can join only what is hosted; why it is not is told, and is no failure. Prints the namespace's id.

        --package NAME     the app's package, such as com.calimero.key-value
        --version VERSION  which version (the newest)
        --name TEXT        what to call the namespace
      """,
    values: ["--package", "--version", "--name"]
  ) { invocation in
    try invocation.arguments.refusePositional()
    guard let package = invocation.arguments.value("--package"), !package.isEmpty else {
      throw UsageError("it needs --package NAME")
    }
    let session = try await invocation.session()
    let app = try await ApplicationRegistry.resolve(
      registryURL: invocation.registry.absoluteString, package: package,
      transport: invocation.surroundings.transport)
    let config = AdminAppConfig(
      packageName: package, packageVersion: invocation.arguments.value("--version") ?? app.version,
      registryURL: invocation.registry.absoluteString)
    let founded = try await invocation.withAdmin(session, app: config) { admin, _ in
      try await admin.createNamespace(
        CreateNamespaceRequest(
          applicationId: app.applicationId, name: invocation.arguments.value("--name")))
    }
    invocation.folder.remember(package, of: founded.namespaceId)
    var json: JSONObject = [
      "namespaceId": .string(founded.namespaceId), "hosted": .bool(founded.haEnabled),
    ]
    json["hostingError"] = founded.haError.map { .string($0) }
    invocation.report(founded.namespaceId, json)
    if let reason = founded.haError { invocation.surroundings.tell("it is not hosted: \(reason)".printable) }
    return ExitCode.success
  }
}
