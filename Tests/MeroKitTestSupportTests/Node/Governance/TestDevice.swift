import MeroCrypto
import MeroWire

@testable import MeroKitTestSupport

/// An account without a node: a root, and one device of it that signs what a relay is handed. Written from 30 by itself.
struct TestDevice {
  let key: Ed25519.PrivateKey
  let credential: DeviceCredential
  let rootSeed: [UInt8]

  init(_ byte: UInt8 = 0x5C) throws {
    key = try Ed25519.PrivateKey(seed: [UInt8](repeating: byte ^ 0xFF, count: 32))
    rootSeed = [UInt8](repeating: byte, count: 32)
    credential = NodeSecrets.certify(
      root: try Ed25519.PrivateKey(seed: rootSeed),
      signingKey: key.publicKey.bytes,
      deliveryKey: [UInt8](repeating: 0x3A, count: 32), nonce: [UInt8](repeating: byte, count: 16))
  }

  var account: String { credential.bound.account }
  var proof: JSONValue { .string(credential.hex) }

  /// Collects a statement's wire form beside the parts that are signed.
  struct Draft {
    var wire = BorshWriter()
    var parts: [[UInt8]] = []

    mutating func fixed(_ bytes: [UInt8]) {
      wire.fixed(bytes)
      parts.append(bytes)
    }

    mutating func string(_ text: String) {
      wire.string(text)
      parts.append(Array(text.utf8))
    }

    mutating func u64(_ value: UInt64) {
      var number = BorshWriter()
      number.u64(value)
      wire.u64(value)
      parts.append(number.bytes)
    }

    mutating func noHeads() {
      for _ in 0..<2 {
        var zero = BorshWriter()
        zero.u64(0)
        wire.u32(0)
        parts.append(zero.bytes)
      }
    }
  }

  private func finish(_ draft: Draft, _ domain: String) throws -> JSONValue {
    var draft = draft
    draft.wire.fixed(try key.sign(domainHash(domain, draft.parts)))
    return .string(Hex.encode(draft.wire.bytes))
  }

  private func begin(_ subject: String) throws -> Draft {
    var draft = Draft()
    draft.fixed(try Hex.decode(subject))
    return draft
  }

  private func name(_ executor: FakeNode, in draft: inout Draft) throws {
    draft.fixed(credential.account)
    draft.fixed(key.publicKey.bytes)
    draft.fixed(try Hex.decode(executor.account))
    draft.fixed(try Hex.decode(executor.signingKey))
  }

  /// A write of a context, with everything a request of it carries.
  func write(
    _ method: String, _ arguments: JSONValue = [:], in context: String, release: String,
    by executor: FakeNode,
    nonce: UInt64 = 1, notAfter: UInt64 = 1_790_000_300
  ) throws -> JSONValue {
    var draft = try begin(context)
    try name(executor, in: &draft)
    draft.fixed(try Hex.decode(release))
    draft.string("1.0.0")
    draft.string(method)
    draft.fixed(domainHash("calimero.warrant.intent.v1", [Array(method.utf8), Array(arguments.data())]))
    draft.noHeads()
    draft.u64(nonce)
    draft.u64(notAfter)
    return [
      "method": .string(method), "argsJson": arguments, "warrant": try finish(draft, "calimero.warrant.v2"),
      "authorProof": proof,
    ]
  }

  /// A new context in a group.
  func creation(
    in group: String, of application: String, arguments: JSONValue = [:], by executor: FakeNode,
    nonce: UInt64 = 1
  ) throws -> JSONValue {
    var draft = try begin(group)
    draft.fixed([UInt8](repeating: 0x12, count: 32))
    try name(executor, in: &draft)
    draft.fixed(try Hex.decode(application))
    draft.wire.u8(0)
    draft.parts += [[0], []]
    draft.wire.u8(1)
    draft.parts.append([1])
    draft.string("general")
    draft.fixed(domainHash("calimero.context-creation.init.v1", [Array(arguments.data())]))
    draft.noHeads()
    draft.u64(nonce)
    draft.u64(1_790_000_300)
    return [
      "warrant": try finish(draft, "calimero.context-creation-warrant.v1"), "authorProof": proof,
      "initArgs": arguments,
    ]
  }

  /// A governance op on a group (`plane` 0) or at the root (1).
  func governance(
    _ op: [UInt8], scope: String, plane: UInt8, by executor: FakeNode, nonce: UInt64 = 1
  ) throws -> JSONValue {
    var draft = try begin(scope)
    draft.wire.u8(plane)
    draft.parts.append([plane])
    try name(executor, in: &draft)
    draft.fixed(domainHash("calimero.governance-warrant.op.v1", [[plane], op]))
    draft.noHeads()
    draft.u64(nonce)
    draft.u64(1_790_000_300)
    return [
      "warrant": try finish(draft, "calimero.governance-warrant.v1"), "authorProof": proof,
      "op": .string(Hex.encode(op)),
    ]
  }

  /// Presence in a context.
  func presence(_ slice: [UInt8]?, in context: String, sequence: UInt64, sentAt: UInt64) throws -> JSONValue {
    var state = BorshWriter()
    state.option(slice) { $0.byteList($1) }
    var statement = BorshWriter()
    statement.fixed(Array("calimero/presence/1".utf8))
    statement.fixed(try Hex.decode(context))
    statement.fixed(key.publicKey.bytes)
    statement.u64(sequence)
    statement.u64(sentAt)
    statement.fixed(SHA256.hash(state.bytes))
    return [
      "state": slice.map { .string(Hex.encode($0)) } ?? .null, "seq": JSONValue(sequence),
      "sentAtMs": JSONValue(sentAt), "signature": .string(Hex.encode(try key.sign(statement.bytes))),
      "authorProof": proof,
    ]
  }

  /// A join, signed whole (30 §12).
  func join(_ namespace: String, _ json: JSONValue, at seconds: UInt64 = 1_790_000_000) throws -> JSONValue {
    let invitation = try GroupInvitation(json)
    var signable = BorshWriter()
    signable.u8(24)
    signable.fixed(try Hex.decode(namespace))
    signable.u32(0)
    signable.fixed(key.publicKey.bytes)
    signable.u64(1)
    signable.u8(0)
    signable.u8(8)
    signable.fixed(credential.account)
    signable.fixed(invitation.body)
    signable.string(invitation.signature)
    signable.option(invitation.inviterAccount) { $0.fixed((try? Hex.decode($1)) ?? []) }
    signable.list(invitation.admitterAddresses) { $0.string($1) }
    signable.option(invitation.applicationId) { $0.fixed($1) }
    signable.option(invitation.appKey) { $0.fixed($1) }
    signable.u64(seconds)
    signable.fixed(credential.bytes)
    var signed = signable
    signed.fixed(try key.sign(Array("calimero.namespace.v1".utf8) + signable.bytes))
    signed.u8(0)
    return .string(Hex.encode(signed.bytes))
  }
}
