import MeroKit

extension AdminCase {
  static let accounts: [AdminCase] = [
    .row(
      "GET /admin-api/identity",
      answers: #"""
        {"accountId":"ac","deviceId":"d1","publicKey":"k1","accountRootPublicKey":"r1","deviceAgreementKey":"x1",
         "holdsAccountRoot":true,"deviceCertified":true,"accountNamespaceId":"n1",
         "revokedFrom":{"accountId":"ac2","deviceId":"d2"}}
        """#,
      gives: NodeIdentity(
        accountId: "ac", deviceId: "d1", publicKey: "k1", accountRootPublicKey: "r1",
        deviceAgreementKey: "x1",
        holdsAccountRoot: true, deviceCertified: true, accountNamespaceId: "n1",
        revokedFrom: RevokedDevice(accountId: "ac2", deviceId: "d2"))
    ) { api, _ in try await api.getNodeIdentity() },
    .row(
      "GET /admin-api/account/devices",
      answers: #"""
        {"devices":[{"deviceId":"d1","signingKey":"k1","isSelf":true,"revoked":false,"applications":[],
         "namespaces":["n1"],"label":"laptop"}]}
        """#,
      gives: [
        AccountDeviceEntry(
          deviceId: "d1", signingKey: "k1", isSelf: true, revoked: false, applications: [],
          namespaces: ["n1"],
          label: "laptop")
      ]
    ) { api, _ in try await api.listAccountDevices() },
    .row(
      "GET /admin-api/account/applications",
      answers: #"{"applications":[{"applicationId":"a1","namespaces":["n1"]}]}"#,
      gives: [AccountApplicationEntry(applicationId: "a1", namespaces: ["n1"])]
    ) { api, _ in try await api.listAccountApplications() },
    .row(
      "POST /admin-api/account/pair-init",
      sends: .json {
        #"{"accountRootPublicKey":"\#($0.key)","namespaces":["\#($0.namespace)"],"accountNamespace":"\#($0.namespace)"}"#
      },
      answers: #"""
        {"accountId":"ac","deviceId":"d1","kemPublicKey":"x1","signPublicKey":"k1","statement":"s1",
         "confirmationCode":"ABCD-EFGH-JKLM-NPQR"}
        """#,
      gives: AccountPairInitResponseData(
        accountId: "ac", deviceId: "d1", kemPublicKey: "x1", signPublicKey: "k1", statement: "s1",
        confirmationCode: "ABCD-EFGH-JKLM-NPQR")
    ) { api, ids in
      try await api.initAccountPairing(
        AccountPairInitRequest(
          accountRootPublicKey: ids.key, namespaces: [ids.namespace], accountNamespace: ids.namespace))
    },
    .row(
      "POST /admin-api/account/pair-complete",
      sends: .json {
        #"""
        {"deviceId":"\#($0.device)","kemPublicKey":"\#(Ids.id(3))","signPublicKey":"\#($0.key)","statement":"s1",
         "confirmationCode":"ABCD-EFGH-JKLM-NPQR","applications":["\#($0.application)"]}
        """#
      },
      answers:
        #"{"accountId":"ac","deviceId":"d1","keyDelivered":false,"confirmationCode":"ABCD","credential":"cc"}"#,
      gives: AccountPairCompleteResponseData(
        accountId: "ac", deviceId: "d1", keyDelivered: false, confirmationCode: "ABCD", credential: "cc")
    ) { api, ids in
      try await api.completeAccountPairing(
        AccountPairCompleteRequest(
          deviceId: ids.device, kemPublicKey: Ids.id(3), signPublicKey: ids.key, statement: "s1",
          confirmationCode: "ABCD-EFGH-JKLM-NPQR", applications: [ids.application]))
    },
    .row(
      "POST /admin-api/account/sign-with-root",
      sends: .json { _ in #"{"domain":"mdma.account-link","payload":"00ff"}"# },
      answers: #"{"rootPublicKey":"r1","signature":"c2ln","accountId":"ac"}"#,
      gives: AccountSignWithRootResponseData(rootPublicKey: "r1", signature: "c2ln", accountId: "ac")
    ) { api, _ in
      try await api.signWithAccountRoot(
        AccountSignWithRootRequest(domain: "mdma.account-link", payload: "00ff"))
    },
    .row(
      "POST /admin-api/account/devices/{device_id}/relink",
      sends: .json { #"{"applications":["\#($0.application)"]}"# },
      answers: #"""
        {"accountId":"ac","deviceId":"d1","applications":["a1"],"linkedIn":[{"namespaceId":"n1","keyDelivered":true}],
         "skipped":[{"namespaceId":"n2","reason":"noScopeKey"}]}
        """#,
      gives: RelinkDeviceResponseData(
        accountId: "ac", deviceId: "d1", applications: ["a1"],
        linkedIn: [LinkedNamespace(namespaceId: "n1", keyDelivered: true)],
        skipped: [SkippedNamespace(namespaceId: "n2", reason: .noScopeKey)])
    ) { api, ids in
      try await api.relinkAccountDevice(
        ids.device, request: RelinkDeviceRequest(applications: [ids.application]))
    },
    .row(
      "PUT /admin-api/account/devices/{device_id}/scope",
      sends: .json { #"{"scope":{"only":["\#($0.application)"]}}"# },
      answers: #"""
        {"accountId":"ac","deviceId":"d1","applications":["a1"],"descoped":[{"namespaceId":"n1","keyRotated":false}],
         "linkedIn":[],"skipped":[{"namespaceId":"n2","reason":"someday"}]}
        """#,
      gives: RescopeDeviceResponseData(
        accountId: "ac", deviceId: "d1", applications: ["a1"],
        descoped: [DescopedNamespace(namespaceId: "n1", keyRotated: false)], linkedIn: [],
        skipped: [SkippedNamespace(namespaceId: "n2", reason: "someday")])
    ) { api, ids in
      try await api.rescopeAccountDevice(
        ids.device, request: RescopeDeviceRequest(scope: .only([ids.application])))
    },
    .row(
      "PUT /admin-api/account/devices/{device_id}/label", sends: .json { _ in #"{"label":"laptop"}"# },
      answers: #"{"accountId":"ac","deviceId":"d1","label":"laptop","labelEpoch":4294967295}"#,
      gives: LabelDeviceResponseData(accountId: "ac", deviceId: "d1", label: "laptop", labelEpoch: .max)
    ) { api, ids in try await api.labelAccountDevice(ids.device, request: LabelDeviceRequest(label: "laptop"))
    },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/account/revoke",
      sends: .json { #"{"deviceId":"\#($0.device)","proof":"aa"}"# },
      answers: #"""
        {"accountId":"ac","deviceId":"d1","keyRotated":true,"revokedIn":[{"namespaceId":"n1","keyRotated":true}]}
        """#,
      gives: RevokeAccountDeviceResponseData(
        accountId: "ac", deviceId: "d1", keyRotated: true,
        revokedIn: [DescopedNamespace(namespaceId: "n1", keyRotated: true)])
    ) { api, ids in
      try await api.revokeAccountDevice(
        ids.namespace, request: RevokeAccountDeviceRequest(deviceId: ids.device, proof: "aa"))
    },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/account/link-device",
      sends: .json { _ in #"{"credential":"cc","scope":"dd"}"# },
      answers: #"{"accountId":"ac","deviceId":"d1","alreadyBound":true}"#,
      gives: LinkAccountDeviceResponseData(accountId: "ac", deviceId: "d1", alreadyBound: true)
    ) { api, ids in
      try await api.linkAccountDevice(
        ids.namespace, request: LinkAccountDeviceRequest(credential: "cc", scope: "dd"))
    },
    .row(
      "POST /admin-api/groups/{group_id}/accounts/{account}/seal",
      sends: .json { _ in #"{"plaintext":"00"}"# },
      answers: #"{"accountRootEpoch":1,"ephemeralPublicKey":"x1","nonce":"00","ciphertext":"ff"}"#,
      gives: SealedEnvelope(accountRootEpoch: 1, ephemeralPublicKey: "x1", nonce: "00", ciphertext: "ff")
    ) { api, ids in
      try await api.sealToAccount(
        ids.group, account: ids.account, request: SealToAccountRequest(plaintext: "00"))
    },
  ]
}
