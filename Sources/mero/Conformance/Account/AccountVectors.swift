import Foundation
import MeroCrypto
import MeroKit
import MeroWire

extension VectorSuite {
  /// What accounts sign and how their ids, keys, codes and links are written.
  static let account = VectorSuite(
    recognises: { $0["format"]?.stringValue?.hasPrefix("merokit-account-vectors/") == true },
    run: { value, name, _, run in
      do {
        try await AccountVectors(VectorObject(value, path: name)).run(&run)
      } catch {
        await run.check(name) { throw error }
      }
    })
}

/// One case: what goes in, and what has to come out.
struct AccountCase {
  let input: VectorObject
  let expect: VectorObject
}

/// One file in that format.
struct AccountVectors {
  typealias Check = @Sendable (AccountCase) throws -> Void

  let file: VectorObject

  init(_ file: VectorObject) { self.file = file }

  private static let checks: [String: Check] = IdentityVectors.checks
    .merging(WarrantVectors.checks) { $1 }
    .merging(GovernanceVectors.checks) { $1 }
    .merging(StatementVectors.checks) { $1 }
    .merging(InvitationVectors.checks) { $1 }
    .merging(EnrolmentVectors.checks) { $1 }

  func run(_ run: inout ConformanceRun) async throws {
    file.prose("set", "generatedWith", "notes")
    let groups = try file.object("groups")
    let stated = try file.number("cases")
    var count = 0
    for name in groups.keys {
      let group = try groups.object(name)
      group.prose("source", "how", "what")
      let cases = try group.objects("cases")
      count += cases.count
      for object in cases {
        await run.check(try object.text("id")) { try Self.check(object, of: name) }
      }
      await run.check("nothing unknown in \(group.path)") { try group.finish() }
    }
    let total = count
    await run.check("the file has as many cases as it says") {
      try require("the number of cases", total, is: stated)
      try require("the format", try file.text("format"), is: "merokit-account-vectors/1")
      try require("the groups", Set(groups.keys), is: Set(Self.checks.keys))
      try file.finish()
    }
  }
}

extension AccountVectors {
  /// Checks one case, whose name has been read.
  static func check(_ object: VectorObject, of group: String) throws {
    guard let check = checks[group] else { throw Mismatch("nobody knows the group \(group)") }
    object.prose("how", "form", "note", "source")
    let test = AccountCase(input: try object.object("input"), expect: try object.object("expect"))
    try check(test)
    try test.input.finish()
    try test.expect.finish()
    try object.finish()
  }
}

extension VectorObject {
  /// A whole number as decimal digits.
  func decimal(_ key: String) throws(Mismatch) -> UInt64 {
    guard let number = UInt64(try text(key)), String(number) == (try text(key)) else {
      throw Mismatch("\(path).\(key) is not a number in digits")
    }
    return number
  }

  /// A whole number of few bits.
  func small<T: FixedWidthInteger>(_ key: String) throws(Mismatch) -> T {
    guard let small = T(exactly: try number(key)) else { throw Mismatch("\(path).\(key) is too large") }
    return small
  }

  func optionalText(_ key: String) throws(Mismatch) -> String? { has(key) ? try text(key) : nil }
}

extension AccountCase {
  /// The keys of the device whose seed the case names. Its other key is of no account here.
  func keys(_ field: String = "deviceSeed") throws -> DeviceKeys {
    try DeviceKeys(
      signSecret: Data(try input.bytes(field, count: 32)), kemSecret: Data(repeating: 1, count: 32))
  }

  /// Compares bytes that this build made with those of the file.
  func require(_ what: String, _ bytes: some Sequence<UInt8>) throws {
    try mero.require(what, Array(bytes), is: try expect.bytes(what))
  }

  /// Compares a text.
  func require(_ what: String, _ text: String) throws {
    try mero.require(what, text, is: try expect.text(what))
  }

  /// Compares a signature: byte for byte where signing is deterministic, and by verifying it everywhere.
  func requireSignature(
    _ what: String, _ actual: some Sequence<UInt8>, is expected: [UInt8], by key: [UInt8], of message: [UInt8]
  ) throws {
    let publicKey = try Ed25519.PublicKey(bytes: key)
    for signature in [Array(actual), expected] {
      try mero.require(publicKey.isValid(signature, for: message), "\(what) does not verify")
    }
    #if !canImport(CryptoKit)
      try mero.require(what, Array(actual), is: expected)
    #endif
  }
}

/// Requires that something is refused as malformed, before anything is signed.
func requireRefused(_ test: AccountCase, _ body: () throws -> Void) throws {
  try require("refused", true, is: try test.expect.flag("refused"))
  do {
    try body()
  } catch AccountError.invalidInput {
    return
  }
  throw Mismatch("it was not refused")
}
