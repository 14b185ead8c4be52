import Foundation
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  /// What the node's hardware says.
  static let attestation: [TypedCall] = [
    TypedCall("GET", "/tee/info") { turn in
      let info = try await turn.send { try await $0.getTeeInfo() }
      #expect(info.cloudProvider == "gcp")
      #expect(info.osImage == "merotee-locked-read-only-2-3-120")
      #expect(info.mrtd == EndpointWorld.mrtd)
    },
    TypedCall("POST", "/tee/attest") { turn in
      // A flag that is false is not sent: older nodes refuse it.
      let plain = try await turn.send(body: ["nonce": .string(NodeRig.anId)]) {
        try await $0.teeAttest(TeeAttestRequest(nonce: NodeRig.anId))
      }
      #expect(plain.quote.body.reportdata == NodeRig.anId + String(repeating: "0", count: 64))
      #expect(plain.boundPublicKey == nil)
      #expect(plain.collateral == nil)
      let body: JSONValue = [
        "nonce": .string(NodeRig.anId), "applicationId": .string(turn.application), "bindNodeKey": true,
        "bindTransportKey": true, "includeCollateral": true,
      ]
      let request = TeeAttestRequest(
        nonce: NodeRig.anId, applicationId: turn.application, bindNodeKey: true, bindTransportKey: true,
        includeCollateral: true)
      let bound = try await turn.send(body: body) { try await $0.teeAttest(request) }
      #expect(bound.boundPublicKey == turn.node.signingKey)
      #expect(bound.transportPublicKey?.count == 64)
      #expect(bound.collateral?.objectValue?.isEmpty == false)
      #expect(bound.quote.body.reportdata.hasPrefix(NodeRig.anId))
      #expect(bound.quote.body.reportdata != plain.quote.body.reportdata)
      try check(bound)
    },
    TypedCall("POST", "/tee/registration-attest") { turn in
      let answer = try await turn.send {
        try await $0.teeRegistrationAttest(TeeRegistrationAttestRequest(nonce: NodeRig.anId))
      }
      #expect(answer.quote.body.reportdata == NodeRig.anId + String(repeating: "0", count: 64))
      try check(answer)
    },
    TypedCall("GET", "/tee/release") { turn in
      let release = try await turn.send { try await $0.getTeeRelease() }
      #expect(release.version == TestPKI.release)
      // The very texts that were signed, with the measurements of the image the node runs.
      #expect(release.publishedMrtds.contains(EndpointWorld.mrtd))
      #expect(try JSONValue(parsing: release.bundle).objectValue?.isEmpty == false)
    },
    TypedCall("POST", "/tee/fleet-join") { turn in
      let bob = turn.world.pair.bob
      let theirs = bob.node.makeNamespace()
      let body: JSONValue = ["groupId": .string(theirs), "admitterAddrs": ["/ip4/127.0.0.1"]]
      let request = FleetJoinRequest(groupId: theirs, admitterAddrs: ["/ip4/127.0.0.1"])
      let pending = try await turn.send(body: body) { try await $0.fleetJoin(request) }
      #expect(pending.admitted == false)
      let policy: JSONValue = ["signedRelease": ["allowedProfiles": ["locked-read-only"]]]
      _ = try await bob.put("/groups/\(theirs)/settings/tee-admission-policy", policy)
      let answer = try await turn.send(body: body) { try await $0.fleetJoin(request) }
      let expected = FleetJoinResponse(
        status: "admitted", groupId: theirs, namespaceId: theirs, publicKey: turn.node.signingKey,
        account: turn.node.account, admitted: true, autoFollowEnabled: true, contextsJoined: 0)
      #expect(answer == expected)
      #expect(try await bob.members(of: theirs)[turn.node.account] == "ReadOnlyTee")
    },
  ]

  /// The quote as the node shows it is the quote it sends.
  private static func check(_ answer: TeeAttestResponseData) throws {
    let quote = Hex.encode(Array(try #require(Data(base64Encoded: answer.quoteB64))))
    #expect(quote.contains(answer.quote.body.reportdata))
    #expect(quote.contains(EndpointWorld.mrtd))
    #expect(answer.quote.body.mrtd == EndpointWorld.mrtd)
    #expect(answer.quote.header.teeType == 0x81)
  }

  /// Which attested nodes a namespace lets in.
  static let teePolicies: [TypedCall] = [
    TypedCall("GET", "/groups/{group_id}/settings/tee-admission-policy") { turn in
      let none = try await turn.send { try await $0.getTeeAdmissionPolicy(turn.namespace) }
      #expect(none == GetTeeAdmissionPolicyResponseData(enabled: false))
      let lists: JSONValue = [
        "allowedMrtd": [.string(EndpointWorld.mrtd)], "allowedRtmr1": [.string(EndpointWorld.mrtd)],
        "allowedRtmr2": [.string(EndpointWorld.mrtd)], "allowedRtmr3": [.string(EndpointWorld.mrtd)],
        "allowedTcbStatuses": ["UpToDate"], "acceptMock": true, "mode": "relay",
      ]
      _ = try await turn.rig.put("/groups/\(turn.namespace)/settings/tee-admission-policy", lists)
      let mrtd = [EndpointWorld.mrtd]
      let expected = GetTeeAdmissionPolicyResponseData(
        enabled: true, allowedMrtd: mrtd, allowedRtmr1: mrtd, allowedRtmr2: mrtd, allowedRtmr3: mrtd,
        allowedTcbStatuses: ["UpToDate"], acceptMock: true, mode: .relay)
      try await turn.expect(expected) { try await $0.getTeeAdmissionPolicy(turn.namespace) }
    },
    TypedCall("PUT", "/groups/{group_id}/settings/tee-admission-policy") { turn in
      let release: JSONValue = ["allowedProfiles": ["locked-read-only"], "minReleaseVersion": "2.3.0"]
      let body: JSONValue = [
        "allowedMrtd": [], "allowedRtmr0": [], "allowedRtmr1": [], "allowedRtmr2": [], "allowedRtmr3": [],
        "allowedTcbStatuses": [], "acceptMock": false, "signedRelease": release, "mode": "relay",
      ]
      let request = SetTeeAdmissionPolicyRequest(
        signedRelease: SignedReleaseTeePolicy(
          allowedProfiles: ["locked-read-only"], minReleaseVersion: "2.3.0"), mode: .relay)
      try await turn.send(body: body) {
        try await $0.setTeeAdmissionPolicy(turn.namespace, request: request)
      }
      let path = "/groups/\(turn.namespace)/settings/tee-admission-policy"
      let policy = try await turn.rig.get(path).json
      #expect(policy["enabled"] == true)
      #expect(policy["signedRelease"] == release)
      #expect(policy["mode"] == "relay")
    },
    TypedCall("PUT", "/groups/{group_id}/settings/tee-authoring-policy") { turn in
      try await turn.send(body: ["allowedMrtd": [.string(EndpointWorld.mrtd)]]) {
        try await $0.setTeeAuthoringPolicy(
          turn.namespace, request: SetTeeAuthoringPolicyRequest(allowedMrtd: [EndpointWorld.mrtd]))
      }
      #expect(turn.world.authoringImages == [EndpointWorld.mrtd])
    },
    TypedCall("DELETE", "/groups/{group_id}/settings/tee-authoring-policy") { turn in
      let path = "/groups/\(turn.namespace)/settings/tee-authoring-policy"
      _ = try await turn.rig.put(path, ["allowedMrtd": [.string(EndpointWorld.mrtd)]])
      #expect(turn.world.authoringImages == [EndpointWorld.mrtd])
      try await turn.send { try await $0.disableTeeAuthoringPolicy(turn.namespace, request: nil) }
      #expect(turn.world.authoringImages == nil)
    },
  ]
}
