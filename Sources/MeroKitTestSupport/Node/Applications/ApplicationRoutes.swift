import Foundation
import MeroHTTP
import MeroWire

/// 20 §5.2.
enum ApplicationRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/install-application", "token:application:install",
      body: .strict(["package", "version"]), install),
    NodeRoute(
      .post, "/admin-api/install-dev-application", "token:admin", body: .strict(["path"]), installDevelopment),
    NodeRoute(.get, "/admin-api/applications", "token:application:list", list),
    NodeRoute(
      .get, "/admin-api/applications/{application_id}", "token:application:list[{application_id}]", get),
    NodeRoute(.delete, "/admin-api/applications/{application_id}", "token:admin", uninstall),
    NodeRoute(
      .get, "/admin-api/applications/{application_id}/versions", "token:application:list[{application_id}]",
      versions),
    NodeRoute(.get, "/admin-api/applications/{application_id}/abi", "token:admin", abi),
    NodeRoute(.get, "/admin-api/packages", "token:package:list-packages", packages),
    NodeRoute(
      .get, "/admin-api/packages/{package}/versions", "token:package:list-versions[{package}]",
      packageVersions),
    NodeRoute(
      .get, "/admin-api/packages/{package}/latest", "token:package:get-latest-version[{package}]", latest),
  ]

  // MARK: Installing

  private static let install: NodeHandler = { state, exchange in
    let name = try exchange.fields.string("package", 1...128)
    let version = try exchange.fields.string("version", 1...64)
    guard let package = state.applications.published(name, version) else {
      throw NodeRefusal(404, "the registry publishes no \(name)@\(version)")
    }
    return .data(["applicationId": .string(state.install(package).applicationId)])
  }

  private static let installDevelopment: NodeHandler = { state, exchange in
    let path = try exchange.fields.string("path", 1...4_096)
    guard !path.split(separator: "/").contains(".."), path.hasSuffix(".mpk") else {
      throw NodeRefusal.invalid("path", "must name a signed .mpk, without ..")
    }
    if let root = state.applications.developmentRoot, !path.hasPrefix(root.hasSuffix("/") ? root : root + "/")
    {
      throw NodeRefusal(403, "the path is outside the directory for development builds")
    }
    guard let package = state.applications.file(at: path) else {
      throw NodeRefusal(400, "there is no signed bundle at \(path)")
    }
    return .data(["applicationId": .string(state.install(package).applicationId)])
  }

  private static let uninstall: NodeHandler = { state, exchange in
    let application = try find(exchange, state)
    state.applications.remove(application.id)
    return .data(["applicationId": .string(application.id)])
  }

  // MARK: Looking

  private static let list: NodeHandler = { state, _ in
    .data(["apps": .array(state.applications.installed.compactMap(json))])
  }

  private static let get: NodeHandler = { state, exchange in
    .data(["application": json(try find(exchange, state)) ?? .null])
  }

  private static let versions: NodeHandler = { state, exchange in
    .data(
      .array(
        try find(exchange, state).builds.map { build in
          [
            "version": .string(build.version), "blobId": .string(build.blobId), "size": JSONValue(build.size),
            "package": .string(build.package.name),
          ]
        }))
  }

  private static let abi: NodeHandler = { state, exchange in
    guard let build = try find(exchange, state).latest else { throw NodeRefusal.notFound("Bytecode") }
    if let service = exchange.query["service_name"] {
      throw NodeRefusal(400, "the application has no service named \(service)")
    }
    let methods = build.package.definition.methods.sorted { $0.key < $1.key }.map {
      name, method -> JSONValue in
      ["name": .string(name), "params": [], "is_view": .bool(method.isView)]
    }
    return .data([
      "schema_version": "wasm-abi/1", "types": [:], "methods": .array(methods), "events": [],
    ])
  }

  private static func find(_ exchange: NodeExchange, _ state: NodeState) throws(NodeRefusal)
    -> NodeApplication
  {
    guard let application = state.applications[exchange["application_id"]] else {
      throw .notFound("Application")
    }
    return application
  }

  private static func json(_ application: NodeApplication) -> JSONValue? {
    guard let build = application.latest else { return nil }
    let metadata: JSONValue = ["name": .string(application.package), "version": .string(build.version)]
    return [
      "id": .string(application.id),
      "blob": ["bytecode": .string(build.blobId), "compiled": .string(build.compiledId)],
      "size": JSONValue(build.size),
      "source": .string("\(NodeApplications.registry)/\(application.package)/\(build.version)"),
      "metadata": .byteArray(metadata.data()), "signer_id": .string(application.signer),
      "package": .string(application.package), "version": .string(build.version),
    ]
  }

  // MARK: Packages

  private static let packages: NodeHandler = { state, _ in
    flat(["packages": .array(state.applications.installed.map { .string($0.package) })], state)
  }

  private static let packageVersions: NodeHandler = { state, exchange in
    let builds = state.applications.named(exchange["package"])?.builds ?? []
    return flat(["versions": .array(builds.map { .string($0.version) })], state)
  }

  private static let latest: NodeHandler = { state, exchange in
    let application = state.applications.named(exchange["package"])
    return .flat([
      "applicationId": application.map { .string($0.id) } ?? .null,
      "version": application?.latest.map { .string($0.version) } ?? .null,
    ])
  }

  /// Older nodes put the two lists in an envelope.
  private static func flat(_ value: JSONValue, _ state: NodeState) -> NodeAnswer {
    state.isOld ? .data(value) : .flat(value)
  }
}
