import MeroKit
import MeroWire

extension AdminCase {
  static let intents: [AdminCase] = [
    .row(
      "GET /admin-api/contexts/{context_id}/intents",
      answers: #"""
        {"executorAccount":"ac","executorKey":"k1","canAuthorOnBehalf":true,"groupId":"g1","grantedOnGroupId":"n1",
         "releaseBytecodeId":"b1","releaseVersion":"1.2.3"}
        """#,
      gives: IntentRelayInfo(
        executorAccount: "ac", executorKey: "k1", canAuthorOnBehalf: true, groupId: "g1",
        grantedOnGroupId: "n1", releaseBytecodeId: "b1", releaseVersion: "1.2.3")
    ) { api, ids in try await api.getIntentRelay(ids.context) },
    .row(
      "POST /admin-api/contexts/{context_id}/intents",
      sends: .json { _ in #"{"method":"set","argsJson":{"b":1,"a":[2]},"warrant":"aa","authorProof":"bb"}"# },
      answers: #"{"rootHash":"r1","returns":[1]}"#,
      gives: PerformIntentResponseData(rootHash: "r1", returns: [1])
    ) { api, ids in
      try await api.performIntent(
        ids.context,
        request: PerformIntentRequest(
          method: "set", argsJson: ["b": 1, "a": [2]], warrant: "aa", authorProof: "bb"))
    },
    .row(
      "POST /admin-api/contexts/{context_id}/presence-intents",
      sends: .json { _ in
        #"{"state":null,"seq":18446744073709551615,"sentAtMs":1790000000000,"signature":"cc","authorProof":"bb"}"#
      }
    ) { api, ids in
      try await api.postPresenceIntent(
        ids.context,
        request: PresenceIntentRequest(
          state: nil, seq: .max, sentAtMs: 1_790_000_000_000, signature: "cc", authorProof: "bb"))
    },
    .row(
      "GET /admin-api/groups/{group_id}/context-intents", query: { [("author", $0.account)] },
      answers:
        #"{"executorAccount":"ac","executorKey":"k1","groupId":"g1","canCreateOnBehalf":true,"authorMayCreate":false}"#,
      gives: ContextIntentRelayInfo(
        executorAccount: "ac", executorKey: "k1", groupId: "g1", canCreateOnBehalf: true,
        authorMayCreate: false)
    ) { api, ids in try await api.getContextIntentRelay(ids.group, author: ids.account) },
    .row(
      "POST /admin-api/groups/{group_id}/context-intents",
      sends: .json { _ in #"{"warrant":"aa","authorProof":"bb","initArgs":{"title":"x"}}"# },
      answers: #"{"contextId":"c1","groupId":"g1","memberPublicKey":"k1"}"#,
      gives: CreateContextIntentResponseData(contextId: "c1", groupId: "g1", memberPublicKey: "k1")
    ) { api, ids in
      try await api.createContextIntent(
        ids.group,
        request: CreateContextIntentRequest(warrant: "aa", authorProof: "bb", initArgs: ["title": "x"]))
    },
    .row(
      "GET /admin-api/groups/{group_id}/governance-intents",
      answers: #"{"executorAccount":"ac","executorKey":"k1","groupId":"g1","canActOnBehalf":false}"#,
      gives: GovernanceIntentRelayInfo(
        executorAccount: "ac", executorKey: "k1", groupId: "g1", canActOnBehalf: false)
    ) { api, ids in try await api.getGovernanceIntentRelay(ids.group) },
    .row(
      "POST /admin-api/groups/{group_id}/governance-intents",
      sends: .json { _ in #"{"warrant":"aa","authorProof":"bb","op":"dd"}"# },
      answers: #"{"groupId":"g1","teeEnabled":false,"teeError":"off"}"#,
      gives: GovernanceIntentResponseData(groupId: "g1", teeEnabled: false, teeError: "off")
    ) { api, ids in
      try await api.governanceIntent(
        ids.group, request: GovernanceIntentRequest(warrant: "aa", authorProof: "bb", op: "dd"))
    },
    .row(
      "GET /admin-api/contexts/{context_id}/warrant-nonce/{author_device_key}",
      answers: #"{"contextId":"c1","authorDeviceKey":"k1","seen":false,"windowWidth":64,"nextNonce":1}"#,
      gives: WarrantNonceState(
        contextId: "c1", authorDeviceKey: "k1", seen: false, windowWidth: 64, nextNonce: 1)
    ) { api, ids in try await api.getWarrantNonce(ids.context, deviceKey: ids.key) },
    .row(
      "POST /admin-api/contexts/{context_id}/warrant-nonce", sends: .json { _ in #"{"authorProof":"bb"}"# },
      answers:
        #"{"contextId":"c1","authorDeviceKey":"k1","seen":true,"highWaterNonce":18446744073709551615,"windowWidth":64}"#,
      gives: WarrantNonceState(
        contextId: "c1", authorDeviceKey: "k1", seen: true, highWaterNonce: .max, windowWidth: 64)
    ) { api, ids in
      try await api.getWarrantNonceAsAuthor(
        ids.context, request: WarrantNonceAsAuthorRequest(authorProof: "bb"))
    },
  ]
}
