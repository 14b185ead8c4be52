import MeroKit
import MeroWire

extension AdminCase {
  private static let quoteText = #"""
    {"header":{"version":4,"attestationKeyType":2,"teeType":129,"qeVendorId":"00","userData":"01"},
     "body":{"tdxVersion":"1.5","teeTcbSvn":"02","mrseam":"03","mrsignerseam":"04","seamattributes":"05",
      "tdattributes":"06","xfam":"07","mrtd":"08","mrconfigid":"09","mrowner":"0a","mrownerconfig":"0b",
      "rtmr0":"0c","rtmr1":"0d","rtmr2":"0e","rtmr3":"0f","reportdata":"10","teeTcbSvn2":"11","mrservicetd":"12"},
     "signature":"13","attestationKey":"14","certificationData":{"type":"pckCertChain","data":"15"}}
    """#
  private static let attestation = TeeAttestResponseData(
    quoteB64: "cXVvdGU=",
    quote: Quote(
      header: QuoteHeader(version: 4, attestationKeyType: 2, teeType: 129, qeVendorId: "00", userData: "01"),
      body: QuoteBody(
        tdxVersion: "1.5", teeTcbSvn: "02", mrseam: "03", mrsignerseam: "04", seamattributes: "05",
        tdattributes: "06", xfam: "07", mrtd: "08", mrconfigid: "09", mrowner: "0a", mrownerconfig: "0b",
        rtmr0: "0c", rtmr1: "0d", rtmr2: "0e", rtmr3: "0f", reportdata: "10", teeTcbSvn2: "11",
        mrservicetd: "12"),
      signature: "13", attestationKey: "14",
      certificationData: QuoteCertification(type: "pckCertChain", data: "15")),
    boundPublicKey: "k1", transportPublicKey: "x1", collateral: ["tcbInfo": "16"])
  private static let attestationText = #"""
    {"quoteB64":"cXVvdGU=","quote":\#(quoteText),"boundPublicKey":"k1","transportPublicKey":"x1",
     "collateral":{"tcbInfo":"16"}}
    """#

  static let tee: [AdminCase] = [
    .row(
      "GET /admin-api/tee/info", answers: #"{"cloudProvider":"gcp","osImage":"mero-tee","mrtd":"08"}"#,
      gives: TeeInfoResponseData(cloudProvider: "gcp", osImage: "mero-tee", mrtd: "08")
    ) { api, _ in try await api.getTeeInfo() },
    .row(
      "POST /admin-api/tee/attest",
      sends: .json {
        #"""
        {"nonce":"\#(Ids.id(1))","applicationId":"\#($0.application)","bindTransportKey":true,
         "includeCollateral":true}
        """#
      },
      answers: attestationText, gives: attestation
    ) { api, ids in
      try await api.teeAttest(
        TeeAttestRequest(
          nonce: Ids.id(1), applicationId: ids.application, bindTransportKey: true, includeCollateral: true))
    },
    .row(
      "GET /admin-api/tee/release",
      answers: #"{"version":"2.3.109","publishedMrtds":"{ \"a\": 1.0 }","bundle":"{}"}"#,
      gives: TeeReleaseResponseData(version: "2.3.109", publishedMrtds: #"{ "a": 1.0 }"#, bundle: "{}")
    ) { api, _ in try await api.getTeeRelease() },
    .row(
      "POST /admin-api/tee/registration-attest", sends: .json { _ in #"{"nonce":"\#(Ids.id(1))"}"# },
      answers: attestationText, gives: attestation
    ) { api, _ in try await api.teeRegistrationAttest(TeeRegistrationAttestRequest(nonce: Ids.id(1))) },
    .row(
      "POST /admin-api/tee/fleet-join",
      sends: .json { #"{"groupId":"\#($0.group)","admitterAddrs":["/dns4/relay/tcp/1"]}"# },
      answers: #"""
        {"status":"joined","group_id":"g1","namespace_id":"n1","public_key":"k1","account":"ac","admitted":true,
         "auto_follow_enabled":true,"contexts_joined":2}
        """#,
      gives: FleetJoinResponse(
        status: "joined", groupId: "g1", namespaceId: "n1", publicKey: "k1", account: "ac", admitted: true,
        autoFollowEnabled: true, contextsJoined: 2)
    ) { api, ids in
      try await api.fleetJoin(FleetJoinRequest(groupId: ids.group, admitterAddrs: ["/dns4/relay/tcp/1"]))
    },
    .row(
      "GET /admin-api/groups/{group_id}/settings/tee-admission-policy",
      answers: #"""
        {"enabled":true,"allowedMrtd":["08"],"allowedRtmr0":[],"allowedRtmr1":["0d"],"allowedRtmr2":["0e"],
         "allowedRtmr3":["0f"],"allowedTcbStatuses":["UpToDate"],"acceptMock":false,
         "signedRelease":{"allowedProfiles":["locked-read-only"],"minReleaseVersion":"2.3.109"},"mode":"relay"}
        """#,
      gives: GetTeeAdmissionPolicyResponseData(
        enabled: true, allowedMrtd: ["08"], allowedRtmr1: ["0d"], allowedRtmr2: ["0e"], allowedRtmr3: ["0f"],
        allowedTcbStatuses: ["UpToDate"],
        signedRelease: SignedReleaseTeePolicy(
          allowedProfiles: ["locked-read-only"], minReleaseVersion: "2.3.109"),
        mode: .relay)
    ) { api, ids in try await api.getTeeAdmissionPolicy(ids.group) },
    .row(
      "PUT /admin-api/groups/{group_id}/settings/tee-admission-policy",
      sends: .json { _ in
        #"""
        {"allowedMrtd":[],"allowedRtmr0":[],"allowedRtmr1":[],"allowedRtmr2":[],"allowedRtmr3":[],
         "allowedTcbStatuses":[],"acceptMock":false,"signedRelease":{"allowedProfiles":["locked-read-only"]},
         "mode":"relay"}
        """#
      }
    ) { api, ids in
      try await api.setTeeAdmissionPolicy(
        ids.group,
        request: SetTeeAdmissionPolicyRequest(
          signedRelease: SignedReleaseTeePolicy(allowedProfiles: ["locked-read-only"]), mode: .relay))
    },
    .row(
      "PUT /admin-api/groups/{group_id}/settings/tee-authoring-policy",
      sends: .json { _ in #"{"allowedMrtd":["08"],"rootProof":"aa"}"# }
    ) { api, ids in
      try await api.setTeeAuthoringPolicy(
        ids.group, request: SetTeeAuthoringPolicyRequest(allowedMrtd: ["08"], rootProof: ids.rootProof))
    },
    .row(
      "DELETE /admin-api/groups/{group_id}/settings/tee-authoring-policy",
      sends: .json { _ in #"{"rootProof":"aa"}"# }
    ) { api, ids in
      try await api.disableTeeAuthoringPolicy(
        ids.group, request: RootGuardedOpRequest(rootProof: ids.rootProof))
    },
  ]
}
