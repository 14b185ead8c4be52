import Foundation
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import mero

@Suite("mero attest with files")
struct AttestFilesTests {
  let rig: AttestRig

  init() throws { rig = try AttestRig() }

  /// What scripts may rely on.
  static let keys = [
    "source", "policy", "trusted", "verdict", "reason", "text", "isMock", "steps", "status", "advisories",
    "measurements", "release", "profile", "claimedRelease", "platform", "collateral", "reportData",
    "clusterId",
    "transportKeyFingerprint", "verifiedAt",
  ]

  @Test("a genuine quote of the named image, made for the named report data, is trusted: every step passed")
  func trusted() async throws {
    let words =
      try rig.options() + rig.measurements(rig.pki.image()) + [
        "--report-data", Hex.encode(AttestRig.reportData),
      ]
    let (status, found) = try await rig.json(words)
    #expect(status == ExitCode.success)
    #expect(found.objectValue?.keys == Self.keys)
    #expect(found["trusted"] == true)
    #expect(found["verdict"] == "trusted")
    #expect(found["reason"] == .null)
    #expect(found["status"] == "UpToDate")
    #expect(found["measurements"]?["rtmr3"] == .string(Hex.encode(rig.pki.image().rtmr[3])))
    #expect(found["reportData"] == .string(Hex.encode(AttestRig.reportData)))
    #expect(found["platform"]?["fmspc"] == "30806f000001")
    #expect(found["collateral"]?["until"] == "2026-10-11T14:13:20Z")
    #expect(found["verifiedAt"] == "2026-09-21T14:13:20Z")
    #expect(
      found.stages
        == (DcapVerdict.stages + [.reportData, .tcbStatus, .measurements]).map(\.rawValue))
    #expect(found["steps"]?.arrayValue?.allSatisfy { $0["outcome"] == "passed" } == true)
    let (again, text) = try await rig.run(words)
    #expect(again == ExitCode.success)
    #expect(text.hasSuffix("\nTRUSTED"))
    #expect(!text.contains("!!") && !text.contains("--  "))
  }

  @Test("a genuine quote is not trusted while no image is named, and what it shows is printed all the same")
  func noImage() async throws {
    let (status, found) = try await rig.json(try rig.options())
    #expect(status == ExitCode.untrusted)
    #expect(found["reason"] == "measurements")
    #expect(found.outcome(.measurements) == "failed")
    #expect(found.outcome(.quoteSignature) == "passed")
    #expect(found.outcome(.reportData) == "notChecked")
    #expect(found["measurements"]?["mrtd"] == .string(Hex.encode(rig.pki.image().mrtd)))
    let text = try await rig.run(try rig.options()).text
    #expect(text.contains("no image was named"))
  }

  @Test("any image is accepted when that is asked for, and what nobody checked is said")
  func anyImage() async throws {
    let words = try rig.options() + ["--any-image"]
    let (status, found) = try await rig.json(words)
    #expect(status == ExitCode.success)
    #expect(found.outcome(.measurements) == "notChecked")
    #expect(found.outcome(.reportData) == "notChecked")
    let text = try await rig.run(words).text
    #expect(text.contains("TRUSTED, but nobody checked that"))
  }

  @Test("a quote of another image, or made for another question, is refused at that step")
  func refused() async throws {
    let other = try await rig.json(try rig.options() + rig.measurements(rig.pki.image("debug")))
    #expect(other.status == ExitCode.untrusted)
    #expect(other.object["reason"] == "measurements")
    #expect(other.object.outcome(.tcbStatus) == "passed")
    #expect(other.object.outcome(.measurements) == "failed")

    let zeros = String(repeating: "0", count: 128)
    let misdirected = try await rig.json(
      try rig.options() + rig.measurements(rig.pki.image()) + ["--report-data", zeros])
    #expect(misdirected.status == ExitCode.untrusted)
    #expect(misdirected.object["reason"] == "reportData")
    #expect(misdirected.object.outcome(.tdAttributes) == "passed")
    #expect(misdirected.object.outcome(.reportData) == "failed")
    #expect(misdirected.object.outcome(.measurements) == "notReached")
  }

  @Test(
    "the report stops at the step that does not hold: those before it passed, those after it were not reached"
  )
  func tampered() async throws {
    var quote = rig.pki.quote(AttestRig.reportData)
    quote[300] ^= 1
    let (status, found) = try await rig.json(try rig.options(quote: quote) + ["--any-image"])
    #expect(status == ExitCode.untrusted)
    #expect(found["reason"] == "quoteInvalid")
    #expect(found.outcome(.qeReportData) == "passed")
    #expect(found.outcome(.quoteSignature) == "failed")
    #expect(found.outcome(.qeReport) == "notReached")
    #expect(found["status"] == .null)
    let text = try await rig.run(try rig.options(quote: quote) + ["--any-image"]).text
    #expect(text.contains("!!  the quote is signed with that key\n"))
    #expect(text.contains("(not proven)"))
  }

  @Test("a status is accepted only when it is listed, and a revoked platform never is")
  func statuses() async throws {
    let old = TestPKI.Platform(status: .outOfDate, advisories: ["INTEL-SA-1"])
    let refused = try await rig.json(try rig.options(on: old) + ["--any-image"])
    #expect(refused.status == ExitCode.untrusted)
    #expect(refused.object["reason"] == "tcbStatus")
    #expect(refused.object["advisories"]?[0] == "INTEL-SA-1")
    let accepted = try await rig.json(try rig.options(on: old) + ["--any-image", "--tcb", "OutOfDate"])
    #expect(accepted.status == ExitCode.success)
    let revoked = try await rig.json(
      try rig.options(on: TestPKI.Platform(isRevoked: true)) + ["--any-image"])
    #expect(revoked.status == ExitCode.untrusted)
    #expect(revoked.object.outcome(.pckChain) == "failed")
  }

  @Test("collateral that ran out is refused, and the report names the dates")
  func expired() async throws {
    let (status, text) = try await rig.run(
      try rig.options(at: rig.pki.now + 60 * 86_400) + ["--any-image"])
    #expect(status == ExitCode.untrusted)
    #expect(text.contains("2026-10-11T14:13:20Z"))
  }

  @Test(
    "a release names the image, whether as the mirror answers or as its two files", arguments: [true, false])
  func release(_ asMirrorAnswer: Bool) async throws {
    let good = rig.pki.release(TestPKI.release)
    let words = try rig.options() + rig.release(good, asMirrorAnswer: asMirrorAnswer)
    let (status, found) = try await rig.json(words)
    #expect(status == ExitCode.success)
    #expect(found["release"] == .string(TestPKI.release))
    #expect(found["profile"] == "locked-read-only")
    #expect(found.outcome(.release) == "passed")

    let newer = try await rig.json(words + ["--min-release", "9.0.0"])
    #expect(newer.status == ExitCode.untrusted)
    #expect(newer.object["reason"] == "releaseInvalid")
    #expect(newer.object.outcome(.release) == "failed")
    #expect(newer.object.outcome(.measurements) == "notReached")

    let profile = try await rig.json(words + ["--profile", "debug"])
    #expect(profile.object["reason"] == "measurements")
  }

  @Test("a release that somebody else signed is refused, and so is one under the public root")
  func badRelease() async throws {
    let stranger = rig.pki.release(TestPKI.release, signing: .anotherRoot)
    let refused = try await rig.json(try rig.options() + rig.release(stranger))
    #expect(refused.status == ExitCode.untrusted)
    #expect(refused.object.outcome(.release) == "failed")
    let words = try rig.options() + rig.release(rig.pki.release(TestPKI.release)).prefix(2)
    #expect(try await rig.json(words).object["reason"] == "releaseInvalid")
  }

  @Test("a quote reads the same as bytes, as hex and as base64; a root as DER and as PEM")
  func spellings() async throws {
    let quote = rig.pki.quote(AttestRig.reportData)
    let root = pem([Array(rig.pki.quoteRoot)])
    let words = try rig.options() + ["--any-image", "--root", try rig.file("root.pem", root)]
    for text in [Hex.encode(quote) + "\n", Data(quote).base64EncodedString(options: .lineLength76Characters)]
    {
      let (status, found) = try await rig.json(words + ["--quote", try rig.file("quote.txt", text)])
      #expect(status == ExitCode.success)
      #expect(found["reportData"] == .string(Hex.encode(AttestRig.reportData)))
    }
  }

  @Test("a mock quote is refused, and it is said that it proves nothing")
  func mock() async throws {
    let quote = MockQuote.make(reportData: AttestRig.reportData)
    let (status, text) = try await rig.run(try rig.options(quote: quote) + ["--any-image"])
    #expect(status == ExitCode.untrusted)
    #expect(text.contains("it proves nothing about hardware"))
    let found = try await rig.json(try rig.options(quote: quote) + ["--any-image"]).object
    #expect(found.objectValue?.keys == Self.keys)
    #expect(found["isMock"] == true)
    #expect(found["measurements"] == .null)
  }

  @Test("rubbish in place of a quote or collateral is refused in words")
  func rubbish() async throws {
    let short = try await rig.run(try rig.options(quote: [4, 0, 2]) + ["--any-image"])
    #expect(short.status == ExitCode.untrusted)
    #expect(short.text.contains("cut short"))
    let empty = try await rig.json(
      try rig.options() + ["--any-image", "--collateral", try rig.file("empty.json", "{}")])
    #expect(empty.object.outcome(.quoteFormat) == "passed")
    #expect(empty.object.outcome(.collateral) == "failed")
    let none = try await rig.json(Array(try rig.options().dropLast(6)) + ["--any-image"])
    #expect(none.object.outcome(.collateral) == "failed")
    for (option, name) in [("--quote", "text.txt"), ("--collateral", "text.txt"), ("--root", "text.txt")] {
      await #expect(throws: (any Error).self, "\(option)") {
        try await rig.run(try rig.options() + [option, try rig.file(name, "neither, nor")])
      }
    }
  }

  @Test(
    "arguments that do not fit are usage errors",
    arguments: [
      [], ["http://a", "http://b"], ["ftp://a"], ["http://a", "--policy", "none"],
      ["http://a", "--any-image"],
      ["http://a", "--report-data", "00"], ["http://a", "--tcb", "Fresh"], ["http://a", "--at", "yesterday"],
      ["http://a", "--min-release", "latest"], ["http://a", "--mirror", "nowhere"],
      ["http://a", "--policy", "development", "--tcb", "UpToDate"], ["--quote", "q", "http://a"],
      ["--quote", "q", "--policy", "production"], ["--quote", "q", "--report-data", "00"],
      ["--quote", "q", "--at", "-1"], ["--quote"], ["--nope"],
    ])
  func usage(_ words: [String]) async throws {
    #expect(await Command.run(["attest"] + words) == ExitCode.usage)
  }
}

/// Quotes of real hardware, which are not part of this package.
@Suite("mero attest with quotes of real hardware")
struct AttestRealQuoteTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../shared/data/tee/quotes").standardizedFileURL

  @Test(
    "a quote from a cloud is genuine, and a bit changed in it is noticed",
    .enabled(
      if: FileManager.default.fileExists(atPath: folder.appendingPathComponent("cases.json").path),
      "skipped: there is no folder ../shared/data/tee/quotes beside this package"),
    arguments: [
      ("phala-tdx-v4.quote.bin", "phala-b0c06f", 1_751_000_000, "UpToDate"),
      ("automata-tdx-v4-00806f050000.quote.bin", "automata-00806f05", 1_740_787_200, "OutOfDate"),
    ])
  func genuine(_ name: String, _ collateral: String, _ time: Int, _ tcb: String) async throws {
    let rig = try AttestRig()
    let cases = try FileContent.json(Self.folder.appendingPathComponent("cases.json").path)
    let quote = Self.folder.appendingPathComponent(name).path
    let words = [
      "--collateral", try rig.file("collateral.json", try #require(cases["collaterals"]?[collateral]).text),
      "--at", String(time), "--any-image", "--tcb", tcb,
    ]
    let (status, found) = try await rig.json(words + ["--quote", quote])
    #expect(status == ExitCode.success)
    #expect(found["status"] == .string(tcb))
    var bytes = [UInt8](try FileContent.read(quote))
    bytes[200] ^= 4
    let changed = try await rig.json(words + ["--quote", try rig.file("changed.bin", bytes)])
    #expect(changed.status == ExitCode.untrusted)
    #expect(changed.object.outcome(.quoteSignature) == "failed")
  }
}
