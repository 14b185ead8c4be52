import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let intents: [TypedCall] = [
    TypedCall("GET", "/contexts/{context_id}/intents") { turn in
      let info = try await turn.send { try await $0.getIntentRelay(turn.context) }
      let expected = IntentRelayInfo(
        executorAccount: turn.node.account, executorKey: turn.node.signingKey, canAuthorOnBehalf: true,
        groupId: turn.namespace, grantedOnGroupId: turn.namespace, releaseBytecodeId: try await turn.appKey(),
        releaseVersion: turn.package.version)
      #expect(info == expected)
      turn.node.setNoRelay()
      let ungranted = try await turn.send { try await $0.getIntentRelay(turn.context) }
      #expect(!ungranted.canAuthorOnBehalf)
      #expect(ungranted.grantedOnGroupId == nil)
    },
    TypedCall("POST", "/contexts/{context_id}/intents") { turn in
      let request = PerformIntentRequest(
        method: "set_value", argsJson: ["key": "k", "value": "v"], warrant: try turn.text("warrant"),
        authorProof: try turn.text("authorProof"))
      let answer = try await turn.send { try await $0.performIntent(turn.context, request: request) }
      #expect(try await turn.value("k") == "v")
      #expect(
        try await turn.read("/contexts/\(turn.context)")["contextStateHash"] == .string(answer.rootHash))
      // A warrant is good once.
      try await turn.refused(403) { try await $0.performIntent(turn.context, request: request) }
    },
    TypedCall("POST", "/contexts/{context_id}/presence-intents") { turn in
      let request = PresenceIntentRequest(
        state: "01", seq: 1, sentAtMs: 1_790_000_000_000, signature: try turn.text("signature"),
        authorProof: try turn.text("authorProof"))
      try await turn.send { try await $0.postPresenceIntent(turn.context, request: request) }
      #expect(turn.node.presence(in: turn.context) == [turn.world.deviceKey: [1]])
      let end = try turn.world.device.presence(nil, in: turn.context, sequence: 2, sentAt: 1_790_000_000_000)
      let retraction = PresenceIntentRequest(
        state: nil, seq: 2, sentAtMs: 1_790_000_000_000,
        signature: try #require(end["signature"]?.stringValue), authorProof: try turn.text("authorProof"))
      await turn.world.pair.clock.advance(by: 1)
      try await turn.send(body: end) { try await $0.postPresenceIntent(turn.context, request: retraction) }
      #expect(turn.node.presence(in: turn.context).isEmpty)
    },
    TypedCall("GET", "/groups/{group_id}/context-intents") { turn in
      func info(_ mayCreate: Bool?) -> ContextIntentRelayInfo {
        ContextIntentRelayInfo(
          executorAccount: turn.node.account, executorKey: turn.node.signingKey, groupId: turn.namespace,
          canCreateOnBehalf: true, authorMayCreate: mayCreate)
      }
      try await turn.expect(info(nil)) { try await $0.getContextIntentRelay(turn.namespace) }
      for (author, mayCreate) in [(turn.account, true), (NodeRig.anId, false)] {
        let answer = try await turn.send(query: [("author", author)]) {
          try await $0.getContextIntentRelay(turn.namespace, author: author)
        }
        #expect(answer == info(mayCreate))
      }
    },
    TypedCall("POST", "/groups/{group_id}/context-intents") { turn in
      let request = CreateContextIntentRequest(
        warrant: try turn.text("warrant"), authorProof: try turn.text("authorProof"), initArgs: [:])
      let answer = try await turn.send { try await $0.createContextIntent(turn.namespace, request: request) }
      #expect(turn.node.contextIds == [turn.context, answer.contextId])
      #expect(answer.groupId == turn.namespace)
      #expect(answer.memberPublicKey == turn.node.signingKey)
      #expect(try await turn.read("/contexts/\(answer.contextId)")["name"] == "general")
    },
    TypedCall("GET", "/groups/{group_id}/governance-intents") { turn in
      let info = try await turn.send { try await $0.getGovernanceIntentRelay(turn.namespace) }
      let expected = GovernanceIntentRelayInfo(
        executorAccount: turn.node.account, executorKey: turn.node.signingKey, groupId: turn.namespace,
        canActOnBehalf: true)
      #expect(info == expected)
    },
    TypedCall("POST", "/groups/{group_id}/governance-intents") { turn in
      // The default capabilities of the namespace, 231.
      let body = try turn.world.device.governance(
        [6, 231, 0, 0, 0], scope: turn.namespace, plane: 0, by: turn.node)
      let request = GovernanceIntentRequest(
        warrant: try #require(body["warrant"]?.stringValue), authorProof: try turn.text("authorProof"),
        op: "06e7000000")
      let answer = try await turn.send(body: body) {
        try await $0.governanceIntent(turn.namespace, request: request)
      }
      #expect(answer == GovernanceIntentResponseData(groupId: turn.namespace))
      #expect(try await turn.read("/groups/\(turn.namespace)")["defaultCapabilities"] == 231)
    },
    // No released node serves these two.
    TypedCall("GET", "/contexts/{context_id}/warrant-nonce/{author_device_key}") { turn in
      try await turn.refused(404) {
        try await $0.getWarrantNonce(turn.context, deviceKey: NodeRig.anId)
      }
    },
    TypedCall("POST", "/contexts/{context_id}/warrant-nonce") { turn in
      try await turn.refused(404, body: ["authorProof": turn.world.device.proof]) {
        try await $0.getWarrantNonceAsAuthor(
          turn.context,
          request: WarrantNonceAsAuthorRequest(
            authorProof: try #require(turn.world.device.proof.stringValue)))
      }
    },
  ]
}
