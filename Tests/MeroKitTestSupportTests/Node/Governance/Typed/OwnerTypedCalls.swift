import Foundation
import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  /// What needs the owner, and what proves one.
  static let owners: [TypedCall] = [
    TypedCall("POST", "/groups/{group_id}/transfer-ownership") { turn in
      try await turn.send {
        try await $0.transferOwnership(
          turn.namespace, request: TransferOwnershipRequest(newOwner: turn.account))
      }
      #expect(turn.world.owner(of: turn.namespace) == turn.account)
      #expect(try await turn.read("/groups/\(turn.namespace)")["ownerOpCounter"] == 1)
    },
    TypedCall("POST", "/groups/{group_id}/owner-delete") { turn in
      try await turn.send { try await $0.ownerDeleteGroup(turn.group, request: nil) }
      #expect(try await turn.rig.get("/groups/\(turn.group)").status == 404)
    },
    TypedCall("POST", "/namespaces/{namespace_id}/admin") { turn in
      try await turn.send {
        try await $0.changeNamespaceAdmin(
          turn.namespace, request: ChangeNamespaceAdminRequest(newAdmin: turn.account))
      }
      #expect(turn.world.owner(of: turn.namespace) == turn.account)
      #expect(try await turn.rig.members(of: turn.namespace)[turn.account] == "Admin")
    },
    TypedCall("POST", "/groups/{group_id}/issue-ownership-proof") { turn in
      let request = IssueOwnershipProofRequest(
        audience: "a", contextId: turn.context, subject: "s", nonce: String(repeating: "00", count: 16),
        expiresAtMs: 1_790_000_100_000)
      let proof = try await turn.send { try await $0.issueOwnershipProof(turn.namespace, request: request) }
      let claim = try claim(of: proof, turn)
      #expect(claim["contextId"] == .string(turn.context))
      #expect(claim["groupId"] == .string(turn.namespace))
      #expect(proof.founding == nil)
      #expect(proof.credential == nil)
    },
    TypedCall("POST", "/groups/{group_id}/issue-namespace-ownership-proof") { turn in
      let request = IssueNamespaceOwnershipProofRequest(
        audience: "a", subject: "s", nonce: String(repeating: "00", count: 16),
        expiresAtMs: 1_790_000_100_000)
      let proof = try await turn.send {
        try await $0.issueNamespaceOwnershipProof(turn.namespace, request: request)
      }
      let claim = try claim(of: proof, turn)
      #expect(claim["namespaceId"] == .string(turn.namespace))
      #expect(claim["contextId"] == nil)
      #expect(proof.founding?.founderAccountId == turn.node.account)
      #expect(proof.credential?.isEmpty == false)
    },
  ]

  /// What the node signed, after its signature was checked.
  private static func claim(of proof: IssueOwnershipProofResponseData, _ turn: TypedTurn) throws -> JSONValue
  {
    #expect(proof.signerPublicKey == turn.node.signingKey)
    let payload = try #require(Data(base64Encoded: proof.signedPayload))
    let signature = try #require(Data(base64Encoded: proof.signature))
    let key = try Ed25519.PublicKey(bytes: Hex.decode(proof.signerPublicKey))
    #expect(key.isValid(signature, for: Array("calimero.ownership-claim.v1\0".utf8) + payload))
    let claim = try JSONValue(parsing: payload)
    #expect(claim["audience"] == "a")
    #expect(claim["subject"] == "s")
    #expect(claim["expiresAtMs"] == 1_790_000_100_000)
    return claim
  }
}
