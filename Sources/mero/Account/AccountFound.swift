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
    guard let package = try invocation.arguments.value("--package").map(AccountInvocation.package) else {
      throw UsageError("it needs --package NAME")
    }
    let session = try await invocation.session()
    let app = try await ApplicationRegistry.resolve(
      registryURL: invocation.registry.absoluteString, package: package,
      transport: invocation.surroundings.transport)
    if let version = invocation.arguments.value("--version") {
      try await checkVersion(version, of: package, newest: app.version, invocation)
    }
    let config = AdminAppConfig(
      packageName: package, packageVersion: invocation.arguments.value("--version") ?? app.version,
      registryURL: invocation.registry.absoluteString)
    let founded: CreateNamespaceResponseData
    do {
      founded = try await invocation.withAdmin(session, app: config) { admin, _ in
        try await admin.createNamespace(
          CreateNamespaceRequest(
            applicationId: app.applicationId, name: invocation.arguments.value("--name")))
      }
    } catch AccountError.relayKeyUnavailable(let reason) {
      throw ToolError("\(reason); mero account whoami --refresh asks the cloud for it")
    } catch let error as AccountError {
      guard case .intentRefused(let reason, false, 403) = error, reason.contains("executor") else {
        throw error
      }
      throw ToolError("\(error); if the relay was replaced, mero account whoami --refresh learns it anew")
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

  /// What is not there cannot be set, and the namespace would be founded by then.
  private static func checkVersion(
    _ version: String, of package: String, newest: String, _ invocation: AccountInvocation
  ) async throws {
    let bundles = try await ApplicationRegistry.bundles(
      registryURL: invocation.registry.absoluteString, package: package,
      transport: invocation.surroundings.transport)
    guard bundles.contains(where: { $0.appVersion == version && !$0.yanked }) else {
      throw ToolError("the registry has no version \(version) of \(package); the newest is \(newest)")
    }
  }
}
