import Foundation
import MeroKitTestSupport

/// What `mero local --tdx` adds: hardware that does not exist, and the two roots that vouch for it.
struct LocalTDX {
  static let rootFiles = "quote-root.der,sigstore-root.json"
  static let presentable = FakeCloudNode.Attestation.allCases.map(\.rawValue).joined(separator: ", ")

  let pki = TestPKI()
  /// Where the mirror listens; nil when the directory of accounts serves it at its own address.
  let mirrorPort: UInt16?
  /// The directory the roots are written to.
  let roots: URL?

  /// nil without `--tdx`.
  init?(_ arguments: Arguments) throws {
    guard arguments.has("--tdx") else {
      for option in ["--mirror-port", "--roots"] where arguments.value(option) != nil {
        throw UsageError("\(option) goes with --tdx")
      }
      return nil
    }
    let isElsewhere = arguments.value("--mirror-port") == nil && !arguments.has("--no-accounts")
    mirrorPort = isElsewhere ? nil : try arguments.port("--mirror-port", default: 2545)
    roots = arguments.value("--roots").map { URL(fileURLWithPath: $0, isDirectory: true) }
  }

  func writeRoots() throws {
    guard let roots else { return }
    do {
      try FileManager.default.createDirectory(at: roots, withIntermediateDirectories: true)
      try pki.quoteRoot.write(to: roots.appendingPathComponent("quote-root.der"))
      try Data(pki.sigstoreRoot.utf8).write(to: roots.appendingPathComponent("sigstore-root.json"))
    } catch {
      throw LocalError("the roots could not be written to \(roots.path): \(error.localizedDescription)")
    }
  }
}
