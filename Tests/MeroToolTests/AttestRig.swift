import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire

@testable import mero

/// Runs `mero attest` over files in a folder of its own, and keeps what it prints.
final class AttestRig {
  let pki = TestPKI(seed: 7, now: Date(timeIntervalSince1970: 1_790_000_000))
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mero-attest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a new file.
  func file(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data(content).write(to: url)
    return url.path
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

  static let reportData = [UInt8](0..<64)

  /// The options for a good quote and its collateral, checked when they are valid.
  func options(
    quote: [UInt8]? = nil, on platform: TestPKI.Platform = .init(), at time: Date? = nil
  ) throws -> [String] {
    [
      "--quote", try file("quote.bin", quote ?? pki.quote(Self.reportData, on: platform)),
      "--collateral", try file("collateral.json", pki.collateral(of: platform).text),
      "--root", try file("root.der", pki.quoteRoot),
      "--at", String(Int((time ?? pki.now).timeIntervalSince1970)),
    ]
  }

  func measurements(_ image: Measurements) throws -> [String] {
    var object: JSONObject = ["mrtd": .string(Hex.encode(image.mrtd))]
    for (index, register) in image.rtmr.enumerated() {
      object["rtmr\(index)"] = .string(Hex.encode(register))
    }
    return ["--measurements", try file("measurements.json", JSONValue.object(object).text)]
  }

  func release(_ release: SignedRelease, asMirrorAnswer: Bool = true) throws -> [String] {
    let root = ["--sigstore-root", try file("sigstore.json", pki.sigstoreRoot)]
    guard asMirrorAnswer else {
      let path = try file("published-mrtds.json", release.publishedMrtds)
      _ = try file("published-mrtds.json.bundle.json", release.bundle)
      return ["--releases", path] + root
    }
    let answer: JSONValue = [
      "data": [
        "version": .string(release.version), "publishedMrtds": .string(release.publishedMrtds),
        "bundle": .string(release.bundle),
      ]
    ]
    return ["--releases", try file("release.json", answer.text)] + root
  }

  func run(
    _ words: [String], transport: any HTTPTransport = URLSessionTransport()
  ) async throws -> (status: Int32, text: String) {
    var lines: [String] = []
    let status = try await AttestCommand.run(words, transport: transport) { lines.append($0) }
    return (status, lines.joined(separator: "\n"))
  }

  func json(
    _ words: [String], transport: any HTTPTransport = URLSessionTransport()
  ) async throws -> (status: Int32, object: JSONValue) {
    let (status, text) = try await run(words + ["--json"], transport: transport)
    return (status, try JSONValue(parsing: text))
  }
}

extension JSONValue {
  /// The outcome of each step, by its stage.
  func outcome(_ stage: TrustStage) -> String? {
    self["steps"]?.arrayValue?.first { $0["stage"]?.stringValue == stage.rawValue }?["outcome"]?.stringValue
  }

  var stages: [String] { self["steps"]?.arrayValue?.compactMap { $0["stage"]?.stringValue } ?? [] }
}
