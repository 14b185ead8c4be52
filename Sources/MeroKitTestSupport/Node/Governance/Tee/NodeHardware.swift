import Foundation
import MeroTrust
import MeroWire

/// What a node's hardware says about it, and which release it names (20 §5.14).
struct NodeHardware: Sendable {
  /// nil off such hardware.
  var presented: FakeCloudNode.Attestation?
  var releaseOutage: FakeNode.ReleaseOutage?
}

extension FakeNode {
  /// How `GET /admin-api/tee/release` fails.
  public enum ReleaseOutage: Sendable, Hashable {
    /// The node names no release: 501.
    case noneNamed
    /// Fetching it failed: 502.
    case fetchFailed
    /// Fetching it failed before, and the node waits this many seconds: 503 with `Retry-After`.
    case backingOff(Int)
  }

  /// What the node presents when it is attested; `nil` is a machine off such hardware. All but `good` and `mock` need a
  /// node with a ``TestPKI``, and without one `good` is a mock quote.
  public func present(_ what: FakeCloudNode.Attestation?) {
    precondition(
      tdx != nil || what == nil || what == .good || what == .mock, "the node was made without a TestPKI")
    store.withState { $0.governance.hardware.presented = what }
  }

  /// Fails release requests from now on; `nil` serves again what the hardware says.
  public func failRelease(_ outage: ReleaseOutage?) {
    store.withState { $0.governance.hardware.releaseOutage = outage }
  }
}

/// The node's own rendering of a quote (20 §6.11). For display; whoever trusts a quote reads its bytes.
enum QuoteRendering {
  static func json(_ quote: [UInt8]) -> JSONValue {
    let isMock = quote.starts(with: Array("MOCK_TDX_QUOTE_V1".utf8))
    return isMock ? mock(quote) : real(quote)
  }

  /// Where the fields of the report stand, in the order they come (50 §3.1).
  private static let report: [(name: String, size: Int)] = [
    ("teeTcbSvn", 16), ("mrseam", 48), ("mrsignerseam", 48), ("seamattributes", 8), ("tdattributes", 8),
    ("xfam", 8), ("mrtd", 48), ("mrconfigid", 48), ("mrowner", 48), ("mrownerconfig", 48), ("rtmr0", 48),
    ("rtmr1", 48), ("rtmr2", 48), ("rtmr3", 48), ("reportdata", 64), ("teeTcbSvn2", 16), ("mrservicetd", 48),
  ]

  private static func real(_ quote: [UInt8]) -> JSONValue {
    var cursor = Cursor(bytes: quote)
    let version = cursor.number(2)
    var header: JSONObject = [
      "version": JSONValue(version), "attestationKeyType": JSONValue(cursor.number(2)),
      "teeType": JSONValue(cursor.number(4)),
    ]
    cursor.skip(4)
    header["qeVendorId"] = cursor.hex(16)
    header["userData"] = cursor.hex(20)
    var is15 = false
    if version == 5 {
      is15 = cursor.number(2) == 3
      cursor.skip(4)
    }
    var body: JSONObject = ["tdxVersion": .string(is15 ? "1.5" : "1.0")]
    for field in is15 ? report[...] : report.dropLast(2) { body[field.name] = cursor.hex(field.size) }
    cursor.skip(4)
    let (signature, key) = (cursor.hex(64), cursor.hex(64))
    cursor.skip(6)
    var certification: JSONObject = [
      "qeReport": cursor.hex(384), "signature": cursor.hex(64),
    ]
    certification["qeAuthenticationData"] = cursor.hex(cursor.number(2))
    certification["certificationDataType"] = cursor.number(2) == 5 ? "pckCertChain" : "platformManifest"
    certification["certificationData"] = cursor.hex(cursor.number(4))
    return [
      "header": .object(header), "body": .object(body), "signature": signature, "attestationKey": key,
      "certificationData": ["type": "qeReportCertificationData", "data": .object(certification)],
    ]
  }

  /// Nothing is measured where nothing is attested.
  private static func mock(_ quote: [UInt8]) -> JSONValue {
    func zeros(_ count: Int) -> JSONValue { .string(String(repeating: "00", count: count)) }
    var body: JSONObject = ["tdxVersion": "1.0"]
    for field in report.dropLast(2) { body[field.name] = zeros(field.size) }
    body["reportdata"] = .string(Hex.encode(quote.dropFirst(17).prefix(64)))
    return [
      "header": [
        "version": 4, "attestationKeyType": 2, "teeType": 129, "qeVendorId": zeros(16), "userData": zeros(20),
      ],
      "body": .object(body), "signature": zeros(64), "attestationKey": zeros(64),
      "certificationData": ["type": "pckCertChain", "data": ""],
    ]
  }

  /// Reads what the node made itself; past the end there are no bytes.
  private struct Cursor {
    let bytes: [UInt8]
    var position = 0

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
      let end = min(bytes.count, position + max(0, count))
      defer { position = end }
      return bytes[min(position, end)..<end]
    }

    mutating func number(_ count: Int) -> Int { take(count).reversed().reduce(0) { $0 << 8 | Int($1) } }
    mutating func hex(_ count: Int) -> JSONValue { .string(Hex.encode(take(count))) }
    mutating func skip(_ count: Int) { _ = take(count) }
  }
}
