import MeroKit

extension FacadeCall {
  static var packages: [FacadeCall] {
    [
      FacadeCall("package_list") {
        _ = try await $0.packages.list(query: "query", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("package_get") { _ = try await $0.packages.get(package: "package", options: options) },
      FacadeCall("package_version_list") {
        _ = try await $0.packages.versionList(
          package: "package", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("package_publish") {
        _ = try await $0.packages.publish(
          package: "package", body: bytes, org: "org", contentType: "image/png", options: options)
      },
      FacadeCall("package_yank") {
        _ = try await $0.packages.yank(
          package: "package", version: "version", passkey: passkey, options: options)
      },
    ]
  }
}
