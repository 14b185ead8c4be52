import MeroCrypto
import MeroWire

/// What the certificate of a platform's key says about the platform (50 §3.3).
struct PCKPlatform: Sendable, Hashable {
  private static let id: OID = "1.2.840.113741.1.13.1"
  private static let tcb: OID = "1.2.840.113741.1.13.1.2"
  private static let pceSvn: OID = "1.2.840.113741.1.13.1.2.17"
  private static let cpuSvn: OID = "1.2.840.113741.1.13.1.2.18"
  private static let pceId: OID = "1.2.840.113741.1.13.1.3"
  private static let fmspc: OID = "1.2.840.113741.1.13.1.4"

  let cpuSvn: ArraySlice<UInt8>
  let pceSvn: Int
  let pceId: ArraySlice<UInt8>
  let fmspc: ArraySlice<UInt8>

  init(_ certificate: Certificate) throws(TrustError) {
    guard let content = certificate.extensions[Self.id] else {
      throw .refused(.pckChain, "the platform's certificate does not describe a platform")
    }
    do throws(WireError) {
      try self.init(reading: content)
    } catch {
      throw .refused(.pckChain, "the platform's certificate describes it in an unknown way: \(error.reason)")
    }
  }

  private init(reading content: ArraySlice<UInt8>) throws(WireError) {
    var outer = DERReader(content)
    let values = try Self.values(try outer.sequence())
    try outer.finish()
    var tcb = try Self.value(Self.tcb, in: values)
    let components = try Self.values(try tcb.sequence())
    var pceSvn = try Self.value(Self.pceSvn, in: components)
    let number = try pceSvn.int64()
    guard (0...0xFFFF).contains(number) else { throw WireError(format: "der", reason: "PCESVN is too large") }
    self.pceSvn = Int(number)
    cpuSvn = try Self.octets(Self.cpuSvn, 16, in: components)
    pceId = try Self.octets(Self.pceId, 2, in: values)
    fmspc = try Self.octets(Self.fmspc, 6, in: values)
  }

  private typealias Entry = (id: OID, value: DERReader)

  /// A SEQUENCE of SEQUENCE { OID, value }.
  private static func values(_ list: DERReader) throws(WireError) -> [Entry] {
    var list = list
    var values: [Entry] = []
    while !list.isAtEnd {
      var pair = try list.sequence()
      let id = try pair.oid()
      values.append((id, DERReader(try pair.element().encoded)))
      try pair.finish()
    }
    return values
  }

  private static func value(_ id: OID, in values: [Entry]) throws(WireError) -> DERReader {
    let found = values.filter { $0.id == id }
    guard found.count == 1 else {
      throw WireError(format: "der", reason: "a value is missing or there twice")
    }
    return found[0].value
  }

  private static func octets(_ id: OID, _ count: Int, in values: [Entry]) throws(WireError) -> ArraySlice<
    UInt8
  > {
    var reader = try value(id, in: values)
    let octets = try reader.octetString()
    guard octets.count == count else { throw WireError(format: "der", reason: "a value has another length") }
    return octets
  }
}
