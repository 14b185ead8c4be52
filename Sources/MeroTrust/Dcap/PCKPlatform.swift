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
    var values = try Self.values(of: [Self.tcb, Self.pceId, Self.fmspc], in: try outer.sequence())
    try outer.finish()
    var components = try Self.values(of: [Self.pceSvn, Self.cpuSvn], in: try values[0].sequence())
    let number = try components[0].int64()
    guard (0...0xFFFF).contains(number) else { throw WireError(format: "der", reason: "PCESVN is too large") }
    self.pceSvn = Int(number)
    cpuSvn = try Self.octets(16, in: &components[1])
    pceId = try Self.octets(2, in: &values[1])
    fmspc = try Self.octets(6, in: &values[2])
  }

  /// The values of these identifiers in a SEQUENCE of SEQUENCE { OID, value }, each of which has to be there once.
  private static func values(of ids: [OID], in list: DERReader) throws(WireError) -> [DERReader] {
    var list = list
    var found = [DERReader?](repeating: nil, count: ids.count)
    while !list.isAtEnd {
      var pair = try list.sequence()
      let id = try pair.oid()
      let value = try pair.element()
      try pair.finish()
      guard let index = ids.firstIndex(of: id) else { continue }
      guard found[index] == nil else { throw WireError(format: "der", reason: "a value is there twice") }
      found[index] = DERReader(value.encoded)
    }
    let values = found.compactMap { $0 }
    guard values.count == ids.count else { throw WireError(format: "der", reason: "a value is missing") }
    return values
  }

  private static func octets(
    _ count: Int, in reader: inout DERReader
  ) throws(WireError) -> ArraySlice<UInt8> {
    let octets = try reader.octetString()
    guard octets.count == count else { throw WireError(format: "der", reason: "a value has another length") }
    return octets
  }
}
