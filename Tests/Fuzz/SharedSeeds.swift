import Foundation
import MeroWire

/// Quotes, collateral and releases of others, which are not part of the package; read in place when they are there.
struct SharedSeeds {
  private let folder: URL
  private let collaterals: [JSONValue]

  init(_ path: String) throws {
    folder = URL(fileURLWithPath: path)
    let cases = try JSONValue(
      parsing: try Data(contentsOf: folder.appendingPathComponent("quotes/cases.json")))
    collaterals = cases["collaterals"]?.objectValue?.values ?? []
  }

  func inputs(for target: String) throws -> [[UInt8]] {
    switch target {
    case "quote", "verification": return try files("quotes", ".quote.bin")
    case "collateral", "json": return collaterals.map { Array($0.text.utf8) }
    case "tcb": return texts("tcb_info") + texts("qe_identity")
    case "certificate": return try files("", ".der")
    case "crl": return (texts("pck_crl") + texts("root_ca_crl")).compactMap(unhexed)
    case "pem": return texts("pck_crl_issuer_chain") + texts("tcb_info_issuer_chain")
    case "der": return try files("", ".der") + texts("pck_crl").compactMap(unhexed)
    case "bundle": return try files("releases", ".bundle.json")
    case "release": return try files("releases", ".published-mrtds.json") + files("releases", "policy.json")
    case "sigstore-root": return try files("", ".json")
    default: return []
    }
  }

  private func texts(_ member: String) -> [[UInt8]] {
    collaterals.compactMap { $0[member]?.stringValue.map { Array($0.utf8) } }
  }

  private func unhexed(_ text: [UInt8]) -> [UInt8]? {
    try? Hex.decode(String(decoding: text, as: UTF8.self))
  }

  private func files(_ subfolder: String, _ suffix: String) throws -> [[UInt8]] {
    let folder = subfolder.isEmpty ? folder : folder.appendingPathComponent(subfolder)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(suffix) }
      .map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
  }
}
