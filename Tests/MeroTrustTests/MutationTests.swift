import Foundation
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("changed quotes and collateral")
struct MutationTests {
  /// What came of verifying something.
  private enum Outcome: Equatable {
    case accepted(TCBStatus, [String], Measurements, [UInt8])
    case refused
  }

  private struct Subject {
    let quote: [UInt8]
    let collateral: JSONObject
    let root: QuoteRoot
    let time: Date

    func outcome() throws -> Outcome {
      do {
        let verdict = try DcapVerification(root: root).verify(
          quote, try QuoteCollateral(parsing: .object(collateral)), at: time)
        return .accepted(
          verdict.status, verdict.advisories, verdict.report.measurements, [UInt8](verdict.report.reportData))
      } catch TrustError.refused(let refusal) {
        #expect(refusal.stage != nil)
        return .refused
      }
    }
  }

  /// A generator that gives the same numbers in every run.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// One random change: a flipped bit of the quote or of a member of the collateral, a cut, four random bytes where a
  /// length may be, or a member exchanged for another.
  private func mutated(_ subject: Subject, _ random: inout Seeded) throws -> Subject {
    var (quote, collateral) = (subject.quote, subject.collateral)
    let names = collateral.keys.filter { $0 != "pck_crl_issuer_chain" }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8:
      quote[Int.random(in: 0..<quote.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 8:
      let start = Int.random(in: 0..<quote.count - 4, using: &random)
      for index in start..<start + 4 { quote[index] = .random(in: .min ... .max, using: &random) }
    case 9:
      quote.removeLast(Int.random(in: 1..<quote.count, using: &random))
    case 10:
      let (one, other) = (names.randomElement(using: &random), names.randomElement(using: &random))
      collateral[one ?? ""] = collateral[other ?? ""]
    default:
      let name = names.randomElement(using: &random) ?? ""
      let text = collateral[name]?.stringValue ?? ""
      if let bytes = try? Hex.decode(text), !bytes.isEmpty {
        collateral[name] = .string(Hex.encode(flipped(bytes, &random)))
      } else if !text.isEmpty {
        collateral[name] = .string(String(decoding: flipped(Array(text.utf8), &random), as: UTF8.self))
      }
    }
    return Subject(quote: quote, collateral: collateral, root: subject.root, time: subject.time)
  }

  private func flipped(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = bytes
    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    return bytes
  }

  /// What this thread has used of a processor; what else runs on the machine does not count.
  private func processorTime() -> TimeInterval {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) * 1e-9
  }

  private func check(_ subject: Subject, rounds: Int, seed: UInt64) throws {
    let before = try subject.outcome()
    #expect(before != .refused)
    var random = Seeded(state: seed)
    var refused = 0
    var slowest: TimeInterval = 0
    for round in 0..<rounds {
      let changed = try mutated(subject, &random)
      let start = processorTime()
      let after = try changed.outcome()
      slowest = max(slowest, processorTime() - start)
      if after == .refused { refused += 1 }
      #expect(after == .refused || after == before, "seed \(seed), round \(round)")
    }
    // Only what nothing covers may change without notice: padding, what is between certificates, the root's copy.
    #expect(refused > rounds / 2, "only \(refused) of \(rounds) were refused")
    #expect(slowest < 0.05, "one took \(slowest) s")
  }

  @Test("a change anywhere is refused, or is where nothing is covered and changes no verdict")
  func ownPlatform() throws {
    let changes: [(inout TestPlatform) -> Void] = [
      { _ in }, { $0.quote.useReport15() }, { $0.chainInCollateral = true },
    ]
    for (seed, change) in changes.enumerated() {
      var platform = TestPlatform()
      platform.platformList.serialNumbers = [1, 2, 3]
      change(&platform)
      try check(
        Subject(
          quote: try platform.quoteBytes(), collateral: try #require(try platform.collateral().objectValue),
          root: try platform.quoteRoot(), time: TestPlatform.now),
        rounds: 400, seed: UInt64(seed))
    }
  }

  @Test(
    "the same holds for real quotes",
    .enabled(if: SharedQuotes.areThere, "skipped: there is no ../shared/data/tee/quotes beside the package"))
  func realQuotes() throws {
    for (name, collateral, time) in [
      ("phala-tdx-v4", "phala-b0c06f", 1_751_000_000),
      ("automata-tdx-v4-00806f050000", "automata-00806f05", 1_740_787_200),
    ] as [(String, String, TimeInterval)] {
      try check(
        Subject(
          quote: try SharedQuotes.quote(name), collateral: try SharedQuotes.collateral(collateral),
          root: .intel,
          time: Date(timeIntervalSince1970: time)),
        rounds: 1000, seed: 77)
    }
  }
}

/// Real quotes and collateral, which are not part of the package; they are read in place when they are there.
enum SharedQuotes {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../shared/data/tee/quotes").standardized

  static var areThere: Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("cases.json").path)
  }

  static func quote(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).quote.bin")))
  }

  static func collateral(_ name: String) throws -> JSONObject {
    let file = try JSONValue(parsing: try Data(contentsOf: folder.appendingPathComponent("cases.json")))
    return try #require(file["collaterals"]?[name]?.objectValue)
  }
}
