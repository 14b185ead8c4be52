import Foundation
import MeroWire
import Testing

@testable import mero

@Suite("conformance of quote verification")
struct QuoteConformanceTests {
  /// Quotes that are not part of the package; they are read in place when they are there.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../shared/data/tee/quotes").standardized
  private static let areThere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("policy.json").path)

  private static let releases = folder.deletingLastPathComponent().appendingPathComponent("releases")
  private static let releasesAreThere = FileManager.default.fileExists(
    atPath: releases.appendingPathComponent("cases.json").path)

  private static func file(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  @Test(
    "50 §8: every quote has the expected verdict, status, advisories and report, and every policy its verdict",
    .enabled(if: areThere, "skipped: there is no ../shared/data/tee/quotes beside the package"))
  func everything() async throws {
    let files = ["cases.json", "policy.json"].map { Self.folder.appendingPathComponent($0).path }
    let run = await runConformance(files: files)
    for failure in run.failed { Issue.record("\(failure.name): \(failure.reason)") }
    let (quotes, policies) = (try Self.file("cases.json")["cases"], try Self.file("policy.json")["cases"])
    // One more check than there are cases: that no verdict is without one.
    #expect(run.passed == (quotes?.arrayValue?.count ?? 0) + (policies?.arrayValue?.count ?? 0) + 1)
    #expect(run.passed >= 110)
  }

  @Test(
    "a verdict that differs in any one value makes its case fail, and no other",
    .enabled(if: areThere, "skipped: there is no ../shared/data/tee/quotes beside the package"))
  func everyValueCounts() async throws {
    let cases = try Self.file("cases.json")
    let expected = try Self.file("expected.json")
    let (accepted, refused) = ("test-status-outofdate", "test-td-debug")
    let kept = try #require(cases["cases"]?.arrayValue).filter {
      [accepted, refused].contains($0["name"]?.stringValue)
    }
    var small = try #require(cases.objectValue)
    small["cases"] = .array(kept)
    let verdict = try #require(expected["cases"]?[accepted]?.objectValue)
    let refusal = try #require(expected["cases"]?[refused]?.objectValue)
    #expect(try await failures(small, [accepted: verdict, refused: refusal]) == [])
    for (key, value) in [
      ("verdict", "refuse"), ("verdict", "maybe"), ("status", "UpToDate"), ("advisoryIds", []),
      ("advisoryIds", ["INTEL-SA-00982", "INTEL-SA-00960"]), ("reportType", "td15"),
      ("qeStatus", "OutOfDate"),
      ("platformStatus", "UpToDate"), ("surprise", 1), ("report", [:]), ("client", "refuse: not a TDX quote"),
    ] as [(String, JSONValue)] {
      var changed = verdict
      changed[key] = value
      #expect(try await failures(small, [accepted: changed, refused: refusal]) == [accepted], "\(key)")
    }
    for key in verdict["report"]?.objectValue?.keys ?? [] {
      var (changed, report) = (verdict, try #require(verdict["report"]?.objectValue))
      report[key] = .string(String(report[key]?.stringValue?.dropLast() ?? "") + "e")
      changed["report"] = .object(report)
      #expect(try await failures(small, [accepted: changed, refused: refusal]) == [accepted], "\(key)")
    }
    var accepting = verdict
    accepting["verdict"] = "accept"
    #expect(try await failures(small, [accepted: verdict, refused: accepting]) == [refused])
    #expect(try await failures(small, [accepted: verdict]) == [refused])
    #expect(try await failures(small, [accepted: verdict, refused: refusal, "another": refusal]).count == 1)
  }

  /// The names of what fails when `cases` are compared with `verdicts`.
  private func failures(_ cases: JSONObject, _ verdicts: [String: JSONObject]) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quotes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let expected: JSONValue = ["cases": .object(JSONObject(verdicts.map { ($0.key, .object($0.value)) }))]
    try expected.data().write(to: folder.appendingPathComponent("expected.json"))
    let file = folder.appendingPathComponent("cases.json")
    try JSONValue.object(cases).data().write(to: file)
    return await runConformance(files: [file.path]).failed.map(\.name)
  }

  @Test(
    "50 §8: every signed release has the expected verdict",
    .enabled(if: releasesAreThere, "skipped: there is no ../shared/data/tee/releases beside the package"))
  func everyRelease() async throws {
    let file = Self.releases.appendingPathComponent("cases.json")
    let run = await runConformance(files: [file.path])
    for failure in run.failed { Issue.record("\(failure.name): \(failure.reason)") }
    let cases = try JSONValue(parsing: try Data(contentsOf: file))["cases"]?.arrayValue
    // Two more checks than there are cases: the signer, and that no verdict is without one.
    #expect(run.passed == (cases?.count ?? 0) + 2)
    #expect(run.passed >= 27)
  }

  @Test("files without what they refer to fail and do not crash")
  func hollowFiles() async {
    for text in [
      #"{"roots":{},"collaterals":{},"cases":[]}"#, #"{"roots":{"a":"x"},"collaterals":{},"cases":[]}"#,
      #"{"roots":{},"collaterals":{},"cases":[{"name":"a","root":"b","nowSecs":1,"quote":"","collateral":"c"}]}"#,
      #"{"cases":[{"name":"a","case":"b","allowedMeasurements":[]}]}"#,
    ] {
      var run = ConformanceRun()
      await runConformance(content: Data(text.utf8), name: "hollow.json", into: &run)
      #expect(run.failed.count == 1 && run.passed == 0)
    }
  }
}
