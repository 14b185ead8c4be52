import MeroCrypto
import MeroWire

/// Presence that a device signed, for a relay to pass on (30 §15).
enum PresenceIntent {
  static let handler: NodeHandler = { state, exchange in
    let id = exchange["context_id"]
    let fields = exchange.fields
    // It has to be there: null takes the author's slot back.
    guard let text = fields.object["state"], text.isNull || text.stringValue != nil else {
      throw NodeRefusal(400, "state must be hex or null")
    }
    var slice: [UInt8]?
    if let text = text.stringValue {
      guard let bytes = try? Hex.decode(text) else { throw NodeRefusal(400, "state must be hex or null") }
      slice = bytes
    }
    let sequence = try fields.integer("seq", UInt64.self)
    let sentAt = try fields.integer("sentAtMs", UInt64.self)
    let signature = try fields.hex("signature", count: 64...64)
    guard !(try fields.string("authorProof")).isEmpty else {
      throw NodeRefusal(403, "there is no proof of an account")
    }
    let proof = try DeviceCredential(hex: try fields.string("authorProof"), field: "authorProof")
    guard slice.map({ $0.count <= NodePresence.largestSlice }) ?? true else {
      throw NodeRefusal(413, "a slice has at most \(NodePresence.largestSlice) bytes")
    }
    let statement = statement(
      context: try Hex.decode(id), author: proof.signingKey, sequence: sequence, sentAt: sentAt, slice: slice)
    guard let key = try? Ed25519.PublicKey(bytes: proof.signingKey), key.isValid(signature, for: statement)
    else {
      throw NodeRefusal(400, "the statement's signature does not verify")
    }
    let age = exchange.milliseconds - Int64(clamping: sentAt)
    guard abs(age) <= Int64(NodePresence.lifetime * 1000) else {
      throw NodeRefusal(400, "the statement is stale")
    }

    let device = Hex.encode(proof.signingKey)
    let account = Hex.encode(proof.account)
    guard let context = state.contexts[id] else { throw NodeRefusal.notFound("Context") }
    let tree = try state.governance.home(of: context.groupId).log.tree
    guard tree.isMember(account, of: context.groupId) else {
      throw NodeRefusal(403, "the author is not a member")
    }
    guard !tree.isRevoked(device) else { throw NodeRefusal(403, "the author's device was revoked here") }
    guard !context.isKeyPending else { throw NodeRefusal.notYet("there is no key of the group yet") }
    if let last = state.governance.delegation.last(device, in: id) {
      // An old number is not refused: it changes nothing.
      guard sequence > last.sequence else { return .none }
      guard exchange.milliseconds - last.at >= state.governance.delegation.presenceSpacing else {
        throw NodeRefusal(429, "too soon after this device's last update")
      }
    }
    state.governance.delegation.heard(device, in: id, sequence: sequence, at: exchange.milliseconds)
    if let slice {
      state.setPresence(
        in: id, author: device, account: account, slice: slice, isOwn: false, at: exchange.now)
    } else {
      state.removePresence(in: id, at: exchange.now) { $0.author == device }
    }
    state.publish(
      .presence(
        LinkedPresence(
          context: id, author: device, account: account, slice: slice, isOfNode: false)))
    return .none
  }

  private static func statement(
    context: [UInt8], author: [UInt8], sequence: UInt64, sentAt: UInt64, slice: [UInt8]?
  ) -> [UInt8] {
    var state = BorshWriter()
    state.option(slice) { $0.byteList($1) }
    var writer = BorshWriter()
    writer.fixed(Array("calimero/presence/1".utf8))
    writer.fixed(context)
    writer.fixed(author)
    writer.u64(sequence)
    writer.u64(sentAt)
    writer.fixed(SHA256.hash(state.bytes))
    return writer.bytes
  }
}
