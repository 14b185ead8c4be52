import Foundation
import MeroTrust
import Testing

@testable import mero

@Suite("mero local --tdx")
struct LocalTDXTests {
  private func tdx(_ words: [String]) throws -> LocalTDX? {
    try LocalTDX(Arguments(words, flags: ["--tdx", "--no-accounts"], values: ["--mirror-port", "--roots"]))
  }

  @Test("it writes the two roots to files that a client reads back")
  func roots() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mero-roots-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let tdx = try #require(try tdx(["--tdx", "--roots", directory.appendingPathComponent("new").path]))
    try tdx.writeRoots()
    let written = try #require(tdx.roots)
    let roots = TrustRoots(
      quotes: try QuoteRoot(der: Data(contentsOf: written.appendingPathComponent("quote-root.der"))),
      releases: try SigstoreRoot(
        trustedRoot: Data(contentsOf: written.appendingPathComponent("sigstore-root.json"))))
    #expect(roots == tdx.pki.roots)
  }

  @Test("a directory that cannot be made is named")
  func unwritable() throws {
    let tdx = try #require(try tdx(["--tdx", "--roots", "/dev/null/roots"]))
    #expect(throws: LocalError.self) { try tdx.writeRoots() }
  }

  @Test(
    "its options are refused without it, and the mirror is at the directory's address unless it is given a port"
  )
  func options() async throws {
    #expect(try tdx([])?.mirrorPort == nil)
    #expect(try tdx(["--tdx"])?.mirrorPort == nil)
    #expect(try tdx(["--tdx", "--no-accounts"])?.mirrorPort == 2545)
    #expect(try tdx(["--tdx", "--mirror-port", "0"])?.mirrorPort == 0)
    #expect(throws: UsageError.self) { try tdx(["--roots", "x"]) }
    #expect(await Command.run(["local", "--mirror-port", "2545"]) == ExitCode.usage)
  }
}
