import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("A node's admin for an app")
struct NodeAdminTests {
  private let app = Ids.id(0xA1)

  /// A node with these applications, whose installs end in `installed`; and a registry at another address.
  private func world(applications: [String], installed: String) -> RecordingTransport {
    RecordingTransport { request in
      switch request.url.path {
      case let path where path.hasSuffix("/applications"):
        let apps = applications.map {
          #"{"id":"\#($0)","blob":{"bytecode":"b","compiled":"c"},"size":1,"source":"s","metadata":[]}"#
        }
        return .json(#"{"data":{"apps":[\#(apps.joined(separator: ","))]}}"#)
      case let path where path.hasSuffix("/install-application"):
        return .json(#"{"data":{"applicationId":"\#(installed)"}}"#)
      case "/api/v2/bundles":
        return .json(
          #"""
          [{"package":"p","appVersion":"1.2.0"},{"package":"p","appVersion":"2.0.0","yanked":true},
           {"package":"p","appVersion":"1.10.0-rc.1"},{"package":"p","appVersion":"1.10.0","signerId":"s"},{"package":"p"}]
          """#)
      default: return .json(#"{"data":{"namespaceId":"n1"}}"#)
      }
    }
  }

  private func admin(_ transport: RecordingTransport, _ config: AdminAppConfig) throws -> any AdminSurface {
    createNodeAdmin(admin: try AdminApi(transport, at: "https://node.test", session: OneToken()), app: config)
  }

  private func bodies(_ transport: RecordingTransport, of path: String) async throws -> [JSONValue] {
    try await transport.sent.filter { $0.url.path.hasSuffix(path) && $0.method == .post }.map {
      guard case .data(let body)? = $0.body else { return .null }
      return try JSONValue(parsing: body)
    }
  }

  @Test("20 §7.4, 40 §19 #110: a namespace of an application the node has is founded at once")
  func installed() async throws {
    let transport = world(applications: [app.uppercased()], installed: app)
    let made = try await admin(transport, AdminAppConfig(packageName: "p")).createNamespace(
      CreateNamespaceRequest(applicationId: app, name: "Team"))
    #expect(made == CreateNamespaceResponseData(namespaceId: "n1"))
    #expect(await transport.lines == ["GET applications", "POST namespaces"])
  }

  @Test("20 §7.4, 40 §19 #110: the newest release is installed first when the node lacks the application")
  func installsNewest() async throws {
    let transport = world(applications: [], installed: app)
    let config = AdminAppConfig(packageName: "p", registryURL: "https://registry.test/")
    try await admin(transport, config).createNamespace(CreateNamespaceRequest(applicationId: app))
    #expect(
      try await bodies(transport, of: "install-application") == [["package": "p", "version": "1.10.0"]])
    #expect(try await bodies(transport, of: "namespaces") == [["applicationId": .string(app)]])
    let registry = try #require(await transport.sent.first { $0.url.host == "registry.test" })
    #expect(registry.url.absoluteString == "https://registry.test/api/v2/bundles?package=p")
    #expect(registry.headers["authorization"] == nil)
    #expect(
      await transport.sent.filter { $0.url.host == "node.test" }.allSatisfy {
        $0.headers["authorization"] != nil
      })
  }

  @Test("20 §7.4: a version that the app names is installed without asking the registry")
  func pinnedVersion() async throws {
    let transport = world(applications: [], installed: app)
    try await admin(transport, AdminAppConfig(packageName: "p", packageVersion: "1.2.0")).createNamespace(
      CreateNamespaceRequest(applicationId: app))
    #expect(try await bodies(transport, of: "install-application") == [["package": "p", "version": "1.2.0"]])
    #expect(await transport.sent.allSatisfy { $0.url.host == "node.test" })
  }

  @Test("20 §7.4, 40 §19 #110: a bundle that installs as another application founds nothing")
  func anotherSigner() async throws {
    let other = Ids.id(0xA2)
    let transport = world(applications: [], installed: other)
    await #expect(
      throws: NodeAdminError.installedAnotherApplication(
        applicationId: app, installed: other, package: "p", version: "1.2.0")
    ) {
      try await admin(transport, AdminAppConfig(packageName: "p", packageVersion: "1.2.0")).createNamespace(
        CreateNamespaceRequest(applicationId: app))
    }
    #expect(try await bodies(transport, of: "namespaces").isEmpty)
  }

  @Test("20 §7.4: without a package, an application the node lacks is named in the error")
  func noPackage() async throws {
    let transport = world(applications: [], installed: app)
    let error = await #expect(throws: NodeAdminError.self) {
      try await admin(transport, AdminAppConfig()).createNamespace(CreateNamespaceRequest(applicationId: app))
    }
    #expect(error?.description.contains(app) == true)
    #expect(await transport.lines == ["GET applications"])
  }

  @Test("40 §19 #110: every other call is the node's own")
  func forwards() throws {
    let file = EndpointTable.package.appendingPathComponent(
      "Sources/MeroKit/Node/Admin/AdminForwarding.swift")
    let calls = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "public func ")
      .dropFirst()
    #expect(calls.count > 100)
    for call in calls {
      let name = call.prefix { $0 != "(" }
      #expect(call.contains(".\(name)("), "\(name)")
    }
  }
}

@Suite("Versions of a package in a registry")
struct RegistryVersionsTests {
  @Test(
    "20 §5.2: versions are ordered by SemVer 2.0, and odd ones come last",
    arguments: [
      (
        ["1.0.0", "1.0.0-rc.1", "1.0.0-rc.10", "1.0.0-rc.2"],
        ["1.0.0", "1.0.0-rc.10", "1.0.0-rc.2", "1.0.0-rc.1"]
      ),
      (["1.9", "1.10.0", "2"], ["2", "1.10.0", "1.9"]),
      (["1.0.0-alpha", "1.0.0-1", "1.0.0-alpha.1"], ["1.0.0-alpha.1", "1.0.0-alpha", "1.0.0-1"]),
      (["", "nightly", "0.0.1", "1.2.3.4"], ["0.0.1", "nightly", "1.2.3.4", ""]),
      (
        ["99999999999999999999.0.0", "100000000000000000000.0.0"],
        ["100000000000000000000.0.0", "99999999999999999999.0.0"]
      ),
    ])
  func order(_ versions: [String], _ newestFirst: [String]) {
    #expect(versions.sorted(by: RegistryVersions.isNewer) == newestFirst)
    #expect(versions.reversed().sorted(by: RegistryVersions.isNewer) == newestFirst)
  }

  @Test("what differs only in build metadata is neither newer nor older")
  func buildMetadata() {
    #expect(!RegistryVersions.isNewer("1.0.0+b", "1.0.0+a"))
    #expect(!RegistryVersions.isNewer("1.0.0+a", "1.0.0+b"))
  }

  @Test("20 §5.2: the node's token is not sent to a registry, not even at the node's own address")
  func noToken() async throws {
    let transport = RecordingTransport { _ in .json("[]") }
    let api = try AdminApi(transport, at: "https://node.test", session: OneToken())
    #expect(try await api.getRegistryVersions(registryURL: "https://node.test", packageName: "a b").isEmpty)
    let request = try #require(await transport.sent.first)
    #expect(request.url.absoluteString == "https://node.test/api/v2/bundles?package=a%20b")
    #expect(request.headers["authorization"] == nil)
  }

  @Test(
    "an address that is none is an error",
    arguments: ["", "ftp://registry.test", "registry", "http://registry.test"])
  func badAddress(_ address: String) async throws {
    let transport = RecordingTransport { _ in .json("[]") }
    await #expect(throws: MeroError.self) {
      try await AdminApi(transport).getRegistryVersions(registryURL: address, packageName: "p")
    }
    #expect(await transport.sent.isEmpty)
  }
}
