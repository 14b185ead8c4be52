import Foundation
import Testing

@testable import MeroKit

@Suite("Opening a browser")
struct SystemBrowserTests {
  private func withFolder(_ test: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder)
  }

  /// A program that does what a browser's launcher does.
  private func program(_ name: String, in folder: URL, _ script: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    return url.path
  }

  @Test("the program gets the address as one word, whatever is in it")
  func address() async throws {
    try await withFolder { folder in
      let program = try program("launch", in: folder, #"printf '%s\n' "$#" "$1" > "$0.seen""#)
      let page = try #require(URL(string: "https://wallet.test/?a=$(id)&b=';x#c"))
      try await SystemBrowser.open(page, with: program)
      let seen = try String(contentsOfFile: program + ".seen", encoding: .utf8)
      #expect(seen == "1\n\(page.absoluteString)\n")
    }
  }

  @Test("a program that fails or is not there is an error, and only pages are opened")
  func failures() async throws {
    try await withFolder { folder in
      let page = try #require(URL(string: "https://wallet.test/"))
      let failing = try program("launch", in: folder, "exit 3")
      let error = await #expect(throws: WebAuthenticationError.self) {
        try await SystemBrowser.open(page, with: failing)
      }
      #expect(error?.description.contains("status 3") == true)
      await #expect(throws: WebAuthenticationError.self) {
        try await SystemBrowser.open(page, with: folder.path + "/none")
      }
      let works = try program("works", in: folder, "exit 0")
      for text in ["file:///etc/passwd", "notes://enrol", "--help"] {
        let url = try #require(URL(string: text))
        await #expect(throws: WebAuthenticationError.self) { try await SystemBrowser.open(url, with: works) }
      }
    }
  }

  @Test("a program that runs on is not waited for once the task is cancelled")
  func runsOn() async throws {
    try await withFolder { folder in
      let program = try program("launch", in: folder, "exec sleep 20")
      let page = try #require(URL(string: "https://wallet.test/"))
      let task = Task { try await SystemBrowser.open(page, with: program) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("a program is the first of its name that can be run, in folders of whole paths")
  func search() async throws {
    try await withFolder { folder in
      let program = try program("launch", in: folder, "")
      #expect(SystemBrowser.program("launch", path: "/none:.::\(folder.path):/bin") == program)
      #expect(SystemBrowser.program("launch", path: "") == nil)
      #expect(SystemBrowser.program("none", path: folder.path) == nil)
    }
  }
}
