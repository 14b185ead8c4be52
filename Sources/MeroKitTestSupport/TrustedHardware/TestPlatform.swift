import Foundation
import MeroCrypto
import MeroTrust
import MeroWire

/// A made-up TDX platform under a root of its own: quotes and collateral like Intel's, every part of which can be changed
/// before it is signed.
package struct TestPlatform: Sendable {
  package static let now = Date(timeIntervalSince1970: 1_790_000_000)

  package static func key(_ number: UInt8) -> P256.PrivateKey {
    // Any number between 1 and n - 1 is a key; these constants are.
    guard let key = try? P256.PrivateKey(scalar: [UInt8](repeating: number, count: 32)) else {
      preconditionFailure()
    }
    return key
  }

  /// Whose signatures a quote and its collateral carry.
  package struct Keys: Sendable {
    package var root = key(1)
    package var authority = key(2)
    package var platform = key(3)
    package var signer = key(4)
    package var attestation = key(5)

    package init() {}
  }

  package let rootKey: P256.PrivateKey
  package let authorityKey: P256.PrivateKey
  package let platformKey: P256.PrivateKey
  package let signerKey: P256.PrivateKey
  package var attestationKey: P256.PrivateKey

  package var root: CertificateDraft
  /// The root as it was signed before, for all chains to carry the same bytes; nil to sign `root` each time.
  package var signedRoot: [UInt8]?
  package var authority: CertificateDraft
  package var platform: CertificateDraft
  package var signer: CertificateDraft
  package var rootList = RevocationDraft(issuer: "Test SGX Root CA")
  package var platformList = RevocationDraft(issuer: "Test SGX PCK Platform CA")

  package var cpuSvn: [UInt8] = [7, 7, 2, 2, 3, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]
  package var pceSvn = 13
  package var tcbInfo: JSONValue
  package var qeIdentity: JSONValue
  /// Where the collateral brings the platform's chain instead of the quote.
  package var chainInCollateral = false

  package var quote = TestQuote()

  /// - Parameter statements: from when to when what is said about the platform is good.
  package init(
    keys: Keys = Keys(),
    statements: DateInterval = DateInterval(
      start: Date(timeIntervalSince1970: 1_788_998_400), duration: 30 * 86_400)
  ) {
    rootKey = keys.root
    authorityKey = keys.authority
    platformKey = keys.platform
    signerKey = keys.signer
    attestationKey = keys.attestation
    let dates = ISO8601DateFormatter()
    let from = JSONValue.string(dates.string(from: statements.start))
    let until = JSONValue.string(dates.string(from: statements.end))
    root = CertificateDraft(
      serialNumber: 10, issuer: "Test SGX Root CA", subject: "Test SGX Root CA", key: rootKey.publicKey,
      isAuthority: true, pathLength: 1, keyUsage: 0x06)
    authority = CertificateDraft(
      serialNumber: 11, issuer: "Test SGX Root CA", subject: "Test SGX PCK Platform CA",
      key: authorityKey.publicKey, isAuthority: true, pathLength: 0, keyUsage: 0x06)
    platform = CertificateDraft(
      serialNumber: 12, issuer: "Test SGX PCK Platform CA", subject: "Test SGX PCK Certificate",
      key: platformKey.publicKey, keyUsage: 0xC0)
    signer = CertificateDraft(
      serialNumber: 13, issuer: "Test SGX Root CA", subject: "Test SGX TCB Signing", key: signerKey.publicKey,
      keyUsage: 0xC0)
    tcbInfo = [
      "id": "TDX", "version": 3, "issueDate": from, "nextUpdate": until,
      "fmspc": "30806f000001", "pceId": "0000", "tcbType": 0, "tcbEvaluationDataNumber": 18,
      "tdxModule": Self.module(),
      "tdxModuleIdentities": [Self.module(id: "TDX_01", [(4, "UpToDate"), (2, "OutOfDate")])],
      "tcbLevels": [Self.level("UpToDate")],
    ]
    qeIdentity = [
      "id": "TD_QE", "version": 2, "issueDate": from, "nextUpdate": until,
      "tcbEvaluationDataNumber": 18, "miscselect": "00000000", "miscselectMask": "FFFFFFFF",
      "attributes": "11000000000000000000000000000000", "attributesMask": "FBFFFFFFFFFFFFFF0000000000000000",
      "mrsigner": .string(String(repeating: "dc", count: 32)), "isvprodid": 2,
      "tcbLevels": [Self.svnLevel(4, "UpToDate"), Self.svnLevel(3, "OutOfDate", ["INTEL-SA-3"])],
    ]
  }

  package static func level(
    _ status: String, sgx: [Int] = [7, 7, 2, 2, 3, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0], pceSvn: Int = 11,
    tdx: [Int] = [5, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], advisories: [JSONValue] = []
  ) -> JSONValue {
    func components(_ numbers: [Int]) -> JSONValue { .array(numbers.map { ["svn": JSONValue($0)] }) }
    return [
      "tcb": [
        "sgxtcbcomponents": components(sgx), "pcesvn": JSONValue(pceSvn), "tdxtcbcomponents": components(tdx),
      ],
      "tcbDate": "2026-01-01T00:00:00Z", "tcbStatus": .string(status), "advisoryIDs": .array(advisories),
    ]
  }

  package static func svnLevel(_ svn: Int, _ status: String, _ advisories: [JSONValue] = []) -> JSONValue {
    [
      "tcb": ["isvsvn": JSONValue(svn)], "tcbDate": "2026-01-01T00:00:00Z", "tcbStatus": .string(status),
      "advisoryIDs": .array(advisories),
    ]
  }

  package static func module(
    id: String? = nil, _ levels: [(Int, String)] = [], advisories: [JSONValue] = ["INTEL-SA-2"]
  ) -> JSONValue {
    var object: JSONObject = [
      "mrsigner": .string(String(repeating: "0", count: 96)), "attributes": "0000000000000000",
      "attributesMask": "FFFFFFFFFFFFFFFF",
    ]
    if let id {
      object["id"] = .string(id)
      object["tcbLevels"] = .array(levels.map { svnLevel($0.0, $0.1, advisories) })
    }
    return .object(object)
  }

  /// Sets a member of the TCB info.
  package mutating func setTCBInfo(_ key: String, _ value: JSONValue?) {
    tcbInfo = setting(tcbInfo, key, value)
  }
  /// Sets a member of the QE identity.
  package mutating func setQEIdentity(_ key: String, _ value: JSONValue?) {
    qeIdentity = setting(qeIdentity, key, value)
  }
  package mutating func setLevels(_ levels: JSONValue...) { setTCBInfo("tcbLevels", .array(levels)) }

  private func setting(_ value: JSONValue, _ key: String, _ member: JSONValue?) -> JSONValue {
    var object = value.objectValue ?? [:]
    object[key] = member
    return .object(object)
  }

  package func rootDER() throws -> [UInt8] { try signedRoot ?? root.signed(by: rootKey) }

  package func quoteRoot() throws -> QuoteRoot { try QuoteRoot(der: try rootDER()) }

  private func signedBytes(_ text: String) throws -> JSONValue {
    .string(Hex.encode(try signerKey.rawSignature(Array(text.utf8))))
  }

  package func platformChain() throws -> String {
    var platform = platform
    platform.more.append(DER.extension("1.2.840.113741.1.13.1", sgxExtension))
    return pem([
      try platform.signed(by: authorityKey), try authority.signed(by: rootKey), try rootDER(),
    ])
  }

  package func collateral() throws -> JSONValue {
    let signers = pem([try signer.signed(by: rootKey), try rootDER()])
    var object: JSONObject = [
      "pck_crl_issuer_chain": "", "root_ca_crl": .string(Hex.encode(try rootList.signed(by: rootKey))),
      "pck_crl": .string(Hex.encode(try platformList.signed(by: authorityKey))),
      "tcb_info_issuer_chain": .string(signers), "tcb_info": .string(tcbInfo.text),
      "tcb_info_signature": try signedBytes(tcbInfo.text),
      "qe_identity_issuer_chain": .string(signers), "qe_identity": .string(qeIdentity.text),
      "qe_identity_signature": try signedBytes(qeIdentity.text),
    ]
    if chainInCollateral { object["pck_certificate_chain"] = .string(try platformChain()) }
    return .object(object)
  }

  /// What vouches for the attestation key, the same in all quotes of the platform.
  package func certification() throws -> [UInt8] {
    try quote.certification(
      chain: try platformChain(), platformKey: platformKey, of: attestationKey.publicKey)
  }

  package func quoteBytes() throws -> [UInt8] {
    try quote.bytes(certification: try certification(), attestationKey: attestationKey)
  }

  /// Runs the verifier over everything as it stands now.
  package func verify(at time: Date = now) throws -> DcapVerdict {
    try DcapVerification(root: try quoteRoot()).verify(
      try quoteBytes(), try QuoteCollateral(parsing: try collateral()), at: time)
  }

  private var sgxExtension: [UInt8] {
    func pair(_ id: OID, _ value: [UInt8]) -> [UInt8] { DER.sequence(DER.oid(id), value) }
    return DER.sequence(
      pair("1.2.840.113741.1.13.1.1", DER.octets([UInt8](repeating: 9, count: 16))),
      pair(
        "1.2.840.113741.1.13.1.2",
        DER.sequence(
          pair("1.2.840.113741.1.13.1.2.17", DER.integer(pceSvn)),
          pair("1.2.840.113741.1.13.1.2.18", DER.octets(cpuSvn)))),
      pair("1.2.840.113741.1.13.1.3", DER.octets([0, 0])),
      pair("1.2.840.113741.1.13.1.4", DER.octets([0x30, 0x80, 0x6F, 0, 0, 1])))
  }
}
