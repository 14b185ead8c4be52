#if os(Linux) || os(macOS)
  import Foundation
  import MeroHTTP

  /// The browser of the person at this computer.
  public enum SystemBrowser {
    /// Opens a page with what the system has for that: `open` on macOS, `xdg-open` on Linux. No shell sees the address.
    ///
    /// - Throws: ``WebAuthenticationError/browserNotOpened(_:)``, as on a machine without a screen.
    public static func open(_ page: URL) async throws {
      #if os(macOS)
        try await open(page, with: "/usr/bin/open")
      #else
        guard let program = program("xdg-open", path: ProcessInfo.processInfo.environment["PATH"] ?? "")
        else {
          throw WebAuthenticationError.browserNotOpened("there is no xdg-open")
        }
        try await open(page, with: program)
      #endif
    }

    static func open(_ page: URL, with program: String) async throws {
      // Such programs open files and start applications just as well, and take options.
      guard ["http", "https"].contains(page.scheme?.lowercased() ?? "") else {
        throw WebAuthenticationError.browserNotOpened("the page has no web address")
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [page.absoluteString]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      let end = FirstAnswer<Int32>()
      process.terminationHandler = { end.give(.success($0.terminationStatus)) }
      do { try process.run() } catch {
        throw WebAuthenticationError.browserNotOpened("\(program) could not be started")
      }
      // It may be the browser itself, and then it runs on when nobody waits for it any more.
      let status = try await end.wait()
      guard status == 0 else {
        throw WebAuthenticationError.browserNotOpened("\(program) ended with status \(status)")
      }
    }

    /// The first program of a name in the folders of a search path.
    static func program(_ name: String, path: String) -> String? {
      path.split(separator: ":").map { "\($0)/\(name)" }.first {
        $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0)
      }
    }
  }
#endif
