import Foundation
import MeroKit
import MeroWire

/// Canonical JSON and warrants of writes and creations (30 §3, §6).
enum WarrantVectors {
  static let checks: [String: @Sendable (AccountCase) throws -> Void] = [
    "canonicalJson": canonicalJson, "warrant": warrant, "warrantRefused": warrantRefused,
    "creationWarrant": creationWarrant,
  ]

  private static let canonicalJson: @Sendable (AccountCase) throws -> Void = { test in
    // Says something about another program's writer.
    test.expect.prose("sameAsJsonStringify")
    let arguments = try JSONValue(parsing: try test.input.text("argsText"))
    try test.require("canonical", try CanonicalJSON.string(arguments))
    try test.require("canonicalHex", try CanonicalJSON.data(arguments))
    try test.require(
      "intentHash", try Warrants.intentHash(method: try test.input.text("method"), arguments: arguments))
    try test.require("creationInitHash", try Warrants.creationInitHash(arguments))
  }

  static func terms(_ input: VectorObject) throws -> Warrants.Terms {
    Warrants.Terms(
      authorAccount: try input.text("authorAccount"), executor: try input.text("executor"),
      executorKey: try input.text("executorKey"), nonce: try input.decimal("nonce"),
      notAfter: try input.decimal("notAfter"), accountHeads: try input.texts("accountHeads"),
      governanceFloor: try input.texts("governanceFloor"))
  }

  /// The parts that every kind of warrant has.
  static func require(
    _ signed: Warrants.Signed, preimage: Data, keys: DeviceKeys, _ test: AccountCase
  ) throws {
    try test.require("devicePublicKey", keys.signPublicKey)
    try test.require("preimage", preimage)
    try mero.require("what was signed", signed.preimage, is: preimage)
    try test.require("unsigned", signed.unsigned)
    let signature = try test.expect.bytes("signature")
    try test.requireSignature(
      "the signature", signed.signature, is: signature, by: try Hex.decode(keys.signPublicKey),
      of: Array(preimage))
    try mero.require(
      "the warrant", Hex.encode(signed.unsigned) + Hex.encode(signature), is: try test.expect.text("warrant"))
    try mero.require(
      "the warrant's text", signed.text, is: Hex.encode(signed.unsigned) + Hex.encode(signed.signature))
  }

  private static let warrant: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let arguments = try JSONValue(parsing: try input.text("argsText"))
    let keys = try test.keys()
    let write = Warrants.Write(
      context: try input.text("context"), releaseBytecodeId: try input.text("releaseBytecodeId"),
      releaseVersion: try input.text("releaseVersion"), method: try input.text("method"),
      arguments: arguments, terms: try terms(input))
    try test.require("intentHash", try Warrants.intentHash(method: write.method, arguments: arguments))
    let signed = try Warrants.signWarrant(write, keys: keys)
    try mero.require("the wire", try Warrants.warrantWire(write, keys: keys), is: signed.unsigned)
    try require(signed, preimage: try Warrants.warrantPreimage(write, keys: keys), keys: keys, test)
  }

  private static let warrantRefused: @Sendable (AccountCase) throws -> Void = { test in
    func id(_ digits: String) -> String { String(repeating: digits, count: 32) }
    var write = Warrants.Write(
      context: id("11"), releaseBytecodeId: id("44"), releaseVersion: "1", method: "set",
      terms: Warrants.Terms(
        authorAccount: id("22"), executor: id("33"), executorKey: id("77"), nonce: 1, notAfter: 2))
    let keys = try DeviceKeys(
      signSecret: Data(repeating: 7, count: 32), kemSecret: Data(repeating: 1, count: 32))
    // As it stands it is good, so it is the change that is refused.
    _ = try Warrants.signWarrant(write, keys: keys)
    let change = try test.input.text("change")
    switch change {
    case "context": write.context = try test.input.text("value")
    case "releaseVersion": write.releaseVersion = try test.input.text("value")
    case "executorKey": write.terms.executorKey = try test.input.text("value")
    case "accountHeads": write.terms.accountHeads = try test.input.texts("value")
    default: throw Mismatch("nobody knows the change \(change)")
    }
    try requireRefused(test) { _ = try Warrants.signWarrant(write, keys: keys) }
  }

  private static let creationWarrant: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let arguments = try JSONValue(parsing: try input.text("initArgsText"))
    let keys = try test.keys()
    let creation = Warrants.Creation(
      group: try input.text("group"), seed: try input.text("seed"),
      applicationId: try input.text("applicationId"), serviceName: try input.optionalText("serviceName"),
      name: try input.optionalText("name"), initArguments: arguments, terms: try terms(input))
    try test.require("initHash", try Warrants.creationInitHash(arguments))
    try require(
      try Warrants.signCreationWarrant(creation, keys: keys),
      preimage: try Warrants.creationPreimage(creation, keys: keys), keys: keys, test)
  }
}
