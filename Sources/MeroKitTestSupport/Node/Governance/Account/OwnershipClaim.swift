import Foundation
import MeroCrypto
import MeroWire

/// A signed statement that an outside service checks: who asks is an admin of a group (20 §5.6).
enum OwnershipClaim {
  static let domain = Array("calimero.ownership-claim.v1\0".utf8)
  /// How long a claim holds at most, in milliseconds.
  private static let longest: UInt64 = 5 * 60_000

  static let fields = ["audience", "contextId", "subject", "nonce", "expiresAtMs"]

  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/issue-ownership-proof", "token:group:manage[{group_id}]",
      body: .strict(fields)
    ) { state, exchange in
      let id = exchange["group_id"]
      let context = try exchange.fields.id("contextId")
      let tree = try state.governance.tree(around: id)
      guard try tree.record(id).contexts[context] != nil else {
        throw NodeRefusal.notFound("Context in this group")
      }
      return state.flat(.object(try issue(state, exchange, tree, context: context)))
    },
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/issue-namespace-ownership-proof", "token:group:manage[{group_id}]",
      body: .strict(fields.filter { $0 != "contextId" })
    ) { state, exchange in
      let tree = try state.rootTree(exchange["group_id"])
      var answer = try issue(state, exchange, tree, context: nil)
      answer["founding"] = tree.founding.json
      answer["credential"] = .string(state.governance.secrets.credential.hex)
      return state.flat(.object(answer))
    },
  ]

  private static func issue(
    _ state: NodeState, _ exchange: NodeExchange, _ tree: NamespaceTree, context: String?
  ) throws(NodeRefusal) -> JSONObject {
    let group = exchange["group_id"]
    let identity = state.governance.identity
    guard tree.isDirectAdmin(identity.account, of: group) else {
      throw NodeRefusal(403, "only a direct admin of the group claims it")
    }
    let now = UInt64(clamping: exchange.milliseconds)
    let asked = try exchange.fields.integer("expiresAtMs", UInt64.self)
    guard asked > now else { throw .invalid("expiresAtMs", "must be in the future") }
    var claim: JSONObject = [
      "audience": .string(try text("audience", 1...256, exchange.fields)),
      "subject": .string(try text("subject", 1...512, exchange.fields)),
      "nonce": .string(Hex.encode(try exchange.fields.hex("nonce", count: 16...64))),
      "groupId": .string(group), "namespaceId": .string(tree.id), "account": .string(identity.account),
      "signerPublicKey": .string(identity.key), "issuedAtMs": JSONValue(now),
      "expiresAtMs": JSONValue(min(asked, now + longest)),
    ]
    claim["contextId"] = context.map { .string($0) }
    let payload = Array(JSONValue.object(claim).data())
    let signature = state.governance.secrets.sign(domain + payload)
    return [
      "signerPublicKey": .string(identity.key),
      "signedPayload": .string(Data(payload).base64EncodedString()),
      "signature": .string(Data(signature).base64EncodedString()),
    ]
  }

  private static func text(_ name: String, _ length: ClosedRange<Int>, _ fields: NodeFields)
    throws(NodeRefusal) -> String
  {
    let text = try fields.string(name, length)
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw .invalid(name, "must not contain control characters")
    }
    return text
  }
}
