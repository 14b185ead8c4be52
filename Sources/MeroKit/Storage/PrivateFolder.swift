import Foundation

#if !canImport(Security)
  /// Where secrets live on a system without a Keychain.
  enum PrivateFolder {
    static func path(
      service: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
      // A relative XDG_DATA_HOME has to be ignored, by the rule that defines the variable.
      let data =
        environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/share"
      return "\(data)/\(FileText.name(of: service))"
    }

    static func path(
      service: String, name: String,
      environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
      "\(path(service: service, environment: environment))/\(FileText.name(of: name)).json"
    }
  }
#endif
