import Foundation

#if !canImport(Security)
  /// Where secrets live on a system without a Keychain.
  enum PrivateFolder {
    static func path(
      service: String, name: String,
      environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
      // A relative XDG_DATA_HOME has to be ignored, by the rule that defines the variable.
      let data =
        environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/share"
      return "\(data)/\(fileName(service))/\(fileName(name)).json"
    }

    /// A name without separators or a leading dot; different names stay different.
    private static func fileName(_ name: String) -> String {
      var result = ""
      for byte in name.utf8 {
        let isPlain =
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x2D || byte == 0x5F || (byte == 0x2E && !result.isEmpty)
        result += isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
      }
      return result.isEmpty ? "%" : result
    }
  }
#endif
