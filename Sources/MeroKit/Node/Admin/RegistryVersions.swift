import Foundation
import MeroHTTP
import MeroTrust

extension AdminApi {
  /// The versions of a package that a registry has published and not withdrawn, newest first. It asks the registry, not
  /// the node, and sends it no token.
  public func getRegistryVersions(registryURL: String, packageName: String) async throws -> [String] {
    guard let url = URL(string: registryURL) else {
      throw MeroError.network("the registry's address is not an http or https address with a host")
    }
    let registry = NodeHTTP(
      baseURL: url, transport: http.transport, timeout: 10, allowInsecureHTTP: http.allowsInsecureHTTP,
      clock: http.clock, random: http.random)
    return try await RegistryVersions.published(packageName, by: registry)
  }
}

/// What a registry says about a package's versions (20 §5.2).
package enum RegistryVersions {
  /// Where packages are published unless the app says otherwise.
  package static let defaultRegistry = "https://apps.calimero.network"

  /// The versions that can be installed, newest first.
  package static func published(_ package: String, by registry: NodeHTTP) async throws -> [String] {
    let bundles = try await registry.value(
      NodeRequest(.get, "/api/v2/bundles", query: [("package", package)]), [RegistryBundleManifest].self,
      .flat)
    return bundles.filter { !$0.yanked }.compactMap(\.appVersion).sorted(by: isNewer)
  }

  /// Whether a version comes after another by SemVer 2.0. A number that is not written counts as 0, and what is no version
  /// comes before all that are.
  package static func isNewer(_ one: String, _ other: String) -> Bool {
    switch (version(one), version(other)) {
    case (let one?, let other?): other < one
    case (nil, nil): other < one
    case (let one, _): one != nil
    }
  }

  private static func version(_ text: String) -> ReleaseVersion? {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let missing = max(0, 2 - core.filter { $0 == "." }.count)
    return ReleaseVersion(core + String(repeating: ".0", count: missing) + text.dropFirst(core.count))
  }
}
