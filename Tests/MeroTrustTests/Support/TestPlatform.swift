import Foundation
import MeroCrypto
import MeroTrust
import MeroWire

/// A made-up TDX platform under a root of its own: quotes and collateral like Intel's, every part of which can be changed
/// before it is signed.
struct TestPlatform {
  static let now = Date(timeIntervalSince1970: 1_790_000_000)

  static func key(_ number: UInt8) -> P256.PrivateKey {
    // Any number between 1 and n - 1 is a key; these constants are.
    guard let key = try? P256.PrivateKey(scalar: [UInt8](repeating: number, count: 32)) else {
      preconditionFailure()
    }
    return key
  }

  let rootKey = key(1)
  let authorityKey = key(2)
  let platformKey = key(3)
  let signerKey = key(4)
  var attestationKey = key(5)

  var root: CertificateDraft
  var authority: CertificateDraft
  var platform: CertificateDraft
  var signer: CertificateDraft
  var rootList = RevocationDraft(issuer: "Test SGX Root CA")
  var platformList = RevocationDraft(issuer: "Test SGX PCK Platform CA")

  var cpuSvn: [UInt8] = [7, 7, 2, 2, 3, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]
  var pceSvn = 13
  var tcbInfo: JSONValue
  var qeIdentity: JSONValue
  /// Where the collateral brings the platform's chain instead of the quote.
  var chainInCollateral = false

  var quote = TestQuote()

  init() {
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
      "id": "TDX", "version": 3, "issueDate": "2026-09-10T00:00:00Z", "nextUpdate": "2026-10-10T00:00:00Z",
      "fmspc": "30806f000001", "pceId": "0000", "tcbType": 0, "tcbEvaluationDataNumber": 18,
      "tdxModule": Self.module(),
      "tdxModuleIdentities": [Self.module(id: "TDX_01", [(4, "UpToDate"), (2, "OutOfDate")])],
      "tcbLevels": [Self.level("UpToDate")],
    ]
    qeIdentity = [
      "id": "TD_QE", "version": 2, "issueDate": "2026-09-10T00:00:00Z", "nextUpdate": "2026-10-10T00:00:00Z",
      "tcbEvaluationDataNumber": 18, "miscselect": "00000000", "miscselectMask": "FFFFFFFF",
      "attributes": "11000000000000000000000000000000", "attributesMask": "FBFFFFFFFFFFFFFF0000000000000000",
      "mrsigner": .string(String(repeating: "dc", count: 32)), "isvprodid": 2,
      "tcbLevels": [Self.svnLevel(4, "UpToDate"), Self.svnLevel(3, "OutOfDate", ["INTEL-SA-3"])],
    ]
  }

  static func level(
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

  static func svnLevel(_ svn: Int, _ status: String, _ advisories: [JSONValue] = []) -> JSONValue {
    [
      "tcb": ["isvsvn": JSONValue(svn)], "tcbDate": "2026-01-01T00:00:00Z", "tcbStatus": .string(status),
      "advisoryIDs": .array(advisories),
    ]
  }

  static func module(id: String? = nil, _ levels: [(Int, String)] = []) -> JSONValue {
    var object: JSONObject = [
      "mrsigner": .string(String(repeating: "0", count: 96)), "attributes": "0000000000000000",
      "attributesMask": "FFFFFFFFFFFFFFFF",
    ]
    if let id {
      object["id"] = .string(id)
      object["tcbLevels"] = .array(levels.map { svnLevel($0.0, $0.1, ["INTEL-SA-2"]) })
    }
    return .object(object)
  }

  /// Sets a member of the TCB info.
  mutating func setTCBInfo(_ key: String, _ value: JSONValue?) { tcbInfo = setting(tcbInfo, key, value) }
  /// Sets a member of the QE identity.
  mutating func setQEIdentity(_ key: String, _ value: JSONValue?) {
    qeIdentity = setting(qeIdentity, key, value)
  }
  mutating func setLevels(_ levels: JSONValue...) { setTCBInfo("tcbLevels", .array(levels)) }

  private func setting(_ value: JSONValue, _ key: String, _ member: JSONValue?) -> JSONValue {
    var object = value.objectValue ?? [:]
    object[key] = member
    return .object(object)
  }

  func quoteRoot() throws -> QuoteRoot { try QuoteRoot(der: try root.signed(by: rootKey)) }

  private func signedBytes(_ text: String) throws -> JSONValue {
    .string(Hex.encode(try signerKey.rawSignature(Array(text.utf8))))
  }

  func platformChain() throws -> String {
    var platform = platform
    platform.more.append(DER.extension("1.2.840.113741.1.13.1", sgxExtension))
    return pem([
      try platform.signed(by: authorityKey), try authority.signed(by: rootKey), try root.signed(by: rootKey),
    ])
  }

  func collateral() throws -> JSONValue {
    let signers = pem([try signer.signed(by: rootKey), try root.signed(by: rootKey)])
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

  func quoteBytes() throws -> [UInt8] {
    try quote.bytes(chain: try platformChain(), platformKey: platformKey, attestationKey: attestationKey)
  }

  /// Runs the verifier over everything as it stands now.
  func verify(at time: Date = now) throws -> DcapVerdict {
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

/// A quote before it is signed.
struct TestQuote {
  var version: UInt8 = 4
  var header: [UInt8]
  /// The report; longer for report 1.5.
  var report: [UInt8]
  var bodyType: UInt8?
  var qeReport: [UInt8]
  /// Changes the finished bytes of the QE report data, before that report is signed.
  var qeReportData: ([UInt8]) -> [UInt8] = { $0 }
  var authenticationData = [UInt8](0..<32)
  var certificationType: UInt8 = 5
  var outerCertificationType: UInt8 = 6
  var padding: [UInt8] = []

  init() {
    header = [UInt8](repeating: 0, count: 48)
    header[2] = 2
    header[4] = 0x81
    header.replaceSubrange(
      12..<28,
      with: [0x93, 0x9A, 0x72, 0x33, 0xF7, 0x9C, 0x4C, 0xA9, 0x94, 0x0A, 0x0D, 0xB3, 0x95, 0x7F, 6, 7])
    report = [UInt8](repeating: 0, count: 584)
    report.replaceSubrange(0..<3, with: [5, 1, 7])
    report[123] = 0x10
    for (index, offset) in [136, 328, 376, 424, 472].enumerated() {
      report.replaceSubrange(offset..<offset + 48, with: repeatElement(UInt8(0xA0 + index), count: 48))
    }
    report.replaceSubrange(520..<584, with: 0..<64)
    qeReport = [UInt8](repeating: 0, count: 384)
    qeReport[48] = 0x11
    qeReport.replaceSubrange(128..<160, with: repeatElement(0xDC, count: 32))
    qeReport[256] = 2
    qeReport[258] = 4
  }

  /// Turns the report into one of version 1.5.
  mutating func useReport15(teeTcbSvn2: [UInt8] = [5, 1, 7]) {
    version = 5
    bodyType = 3
    report += teeTcbSvn2 + [UInt8](repeating: 0, count: 64 - teeTcbSvn2.count)
  }

  mutating func useVersion5() {
    version = 5
    bodyType = 2
  }

  func bytes(chain: String, platformKey: P256.PrivateKey, attestationKey: P256.PrivateKey) throws -> [UInt8] {
    var signed = header
    signed[0] = version
    if let bodyType { signed += [bodyType, 0] + little(report.count, 4) }
    signed += report
    let key = Array(attestationKey.publicKey.x963.dropFirst())
    var qeReport = qeReport
    let vouched = SHA256.hash(key + authenticationData)
    qeReport.replaceSubrange(320..<384, with: qeReportData(vouched + [UInt8](repeating: 0, count: 32)))
    let chain = Array(chain.utf8) + [0]
    let certification =
      qeReport + (try platformKey.rawSignature(qeReport)) + little(authenticationData.count, 2)
      + authenticationData
      + [certificationType, 0] + little(chain.count, 4) + chain
    let auth =
      try attestationKey.rawSignature(signed) + key + [outerCertificationType, 0]
      + little(certification.count, 4)
      + certification
    return signed + little(auth.count, 4) + auth + padding
  }

  private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(number >> ($0 * 8) & 0xFF) }
  }
}

extension P256.PrivateKey {
  /// r and s, 32 bytes each, as quotes have them.
  func rawSignature(_ message: [UInt8]) throws -> [UInt8] {
    var reader = DERReader(try sign(message))
    var pair = try reader.sequence()
    return try [pair.unsignedInteger(), pair.unsignedInteger()].flatMap {
      [UInt8](repeating: 0, count: 32 - $0.count) + $0
    }
  }
}
