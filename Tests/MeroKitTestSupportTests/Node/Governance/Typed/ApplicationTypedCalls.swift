import Foundation
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let applications: [TypedCall] = [
    TypedCall("POST", "/install-application") { turn in
      let package = FakePackage.probe
      let answer = try await turn.send(
        body: ["package": .string(package.name), "version": .string(package.version)]
      ) {
        try await $0.installApplication(
          InstallApplicationRequest(package: package.name, version: package.version))
      }
      let installed = try await turn.read("/applications/\(answer.applicationId)")
      #expect(installed["application"]?["package"] == .string(package.name))
    },
    TypedCall("POST", "/install-dev-application") { turn in
      let package = FakePackage("com.example.draft", version: "0.1.0") { _ in }
      turn.node.placeBundle(package, at: "/apps/draft.mpk")
      let answer = try await turn.send(body: ["path": "/apps/draft.mpk"]) {
        try await $0.installDevApplication(InstallDevApplicationRequest(path: "/apps/draft.mpk"))
      }
      let installed = try await turn.read("/applications/\(answer.applicationId)")
      #expect(installed["application"]?["package"] == .string(package.name))
    },
    TypedCall("GET", "/applications") { turn in
      let apps = try await turn.send { try await $0.listApplications() }.apps
      #expect(apps.map(\.package) == [FakePackage.chat.name, turn.package.name])
      #expect(apps.last?.id == turn.application)
    },
    TypedCall("GET", "/applications/{application_id}") { turn in
      let answer = try await turn.send { try await $0.getApplication(turn.application) }
      let app = try #require(answer.application)
      #expect(app.id == turn.application)
      #expect(app.package == turn.package.name)
      #expect(app.version == turn.package.version)
      #expect(try await turn.appKey() == app.blob.bytecode)
      #expect(app.signerId?.hasPrefix("did:key:") == true)
      #expect(try JSONValue(parsing: Data(app.metadata))["name"] == .string(turn.package.name))
      let bytecode = try await turn.rig.get("/blobs/\(app.blob.bytecode)").bytes
      #expect(app.size == UInt64(bytecode.count))
    },
    TypedCall("DELETE", "/applications/{application_id}") { turn in
      let answer = try await turn.send { try await $0.uninstallApplication(turn.application) }
      #expect(answer.applicationId == turn.application)
      #expect(try await turn.rig.get("/applications/\(turn.application)").status == 404)
    },
    TypedCall("GET", "/applications/{application_id}/versions") { turn in
      _ = turn.installNext()
      let versions = try await turn.send { try await $0.listApplicationVersions(turn.application) }
      #expect(versions.map(\.version) == [turn.package.version, "9.0.0"])
      #expect(versions.map(\.package) == [turn.package.name, turn.package.name])
      #expect(try await turn.appKey() == versions.first?.blobId)
    },
    TypedCall("GET", "/applications/{application_id}/abi") { turn in
      let abi = try await turn.send { try await $0.getApplicationAbi(turn.application) }
      #expect(abi["schema_version"] == "wasm-abi/1")
      let views = abi["methods"]?.arrayValue?.filter { $0["is_view"] == true }.compactMap { $0["name"] }
      #expect(views == ["entries", "get_result", "get_value", "len"])
      // The bundle has one service, and it has no name.
      try await turn.refused(400, query: [("service_name", "main")]) {
        try await $0.getApplicationAbi(turn.application, serviceName: "main")
      }
    },
    TypedCall("GET", "/packages") { turn in
      let packages = try await turn.send { try await $0.listPackages() }.packages
      #expect(packages == [FakePackage.chat.name, turn.package.name])
    },
    TypedCall("GET", "/packages/{package}/versions") { turn in
      _ = turn.installNext()
      let versions = try await turn.send { try await $0.listPackageVersions(turn.package.name) }.versions
      #expect(versions == [turn.package.version, "9.0.0"])
    },
    TypedCall("GET", "/packages/{package}/latest") { turn in
      _ = turn.installNext()
      let latest = try await turn.send { try await $0.getLatestPackageVersion(turn.package.name) }
      #expect(latest == GetLatestVersionResponseData(applicationId: turn.application, version: "9.0.0"))
      turn.path = "/admin-api/packages/com.example.absent/latest"
      let absent = try await turn.send { try await $0.getLatestPackageVersion("com.example.absent") }
      #expect(absent == GetLatestVersionResponseData())
    },
  ]
}
