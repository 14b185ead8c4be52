import Foundation

/// A level of an enclave or of the TDX module: who has at least this SVN has at least this status.
struct SvnLevel: Sendable, Hashable {
  let isvSvn: Int
  let status: TCBStatus
  let date: Date
  let advisories: [String]

  init(_ json: SignedJSON) throws(TrustError) {
    isvSvn = try json.child("tcb").number("isvsvn", upTo: 0xFFFF)
    status = try json.status(among: [.upToDate, .outOfDate, .revoked])
    date = try json.time("tcbDate")
    advisories = try json.texts("advisoryIDs")
  }

  /// The levels of an enclave or module, the highest first, whatever their order in the text.
  static func list(_ json: SignedJSON) throws(TrustError) -> [SvnLevel] {
    var levels: [SvnLevel] = []
    for level in try json.children("tcbLevels") { levels.append(try SvnLevel(level)) }
    return levels.sorted { $0.isvSvn > $1.isvSvn }
  }
}

extension [SvnLevel] {
  func first(for svn: Int) -> SvnLevel? { first { svn >= $0.isvSvn } }
}

/// A level of a platform: who has at least all these SVNs has at least this status (50 §3.8).
struct PlatformLevel: Sendable, Hashable {
  static let componentCount = 16

  let sgx: [UInt8]
  let pceSvn: Int
  let tdx: [UInt8]
  let status: TCBStatus
  let date: Date
  let advisories: [String]

  init(_ json: SignedJSON) throws(TrustError) {
    let tcb = try json.child("tcb")
    sgx = try Self.components(tcb, "sgxtcbcomponents")
    pceSvn = try tcb.number("pcesvn", upTo: 0xFFFF)
    tdx = try Self.components(tcb, "tdxtcbcomponents")
    status = try json.status(among: TCBStatus.ofPlatformLevels)
    date = try json.time("tcbDate")
    advisories = try json.texts("advisoryIDs")
  }

  private static func components(_ tcb: SignedJSON, _ key: String) throws(TrustError) -> [UInt8] {
    let numbers = try tcb.read(key) { value in
      let numbers = value.arrayValue?.map { $0["svn"]?.int.flatMap(UInt8.init(exactly:)) }
      return numbers.flatMap { $0.contains(nil) ? nil : $0.compactMap { $0 } }
    }
    guard numbers.count == componentCount else {
      throw .refused(
        tcb.stage, "\(tcb.name).\(key) has \(numbers.count) entries instead of \(componentCount)")
    }
    return numbers
  }

  func isHigher(than other: PlatformLevel) -> Bool {
    if sgx != other.sgx { return other.sgx.lexicographicallyPrecedes(sgx) }
    if pceSvn != other.pceSvn { return pceSvn > other.pceSvn }
    return other.tdx.lexicographicallyPrecedes(tdx)
  }

  func isReachedBy(cpuSvn: ArraySlice<UInt8>, pceSvn: Int) -> Bool {
    zip(cpuSvn, sgx).allSatisfy { $0 >= $1 } && pceSvn >= self.pceSvn
  }

  /// - Parameter teeTcbSvn: its first two bytes are the TDX module's SVN and version. A module with a version has an
  ///   identity of its own, which judges them; only without one are they compared here.
  func isReachedBy(teeTcbSvn: [UInt8]) -> Bool {
    let first = teeTcbSvn[1] > 0 ? 2 : 0
    return (first..<Self.componentCount).allSatisfy { teeTcbSvn[$0] >= tdx[$0] }
  }
}

extension SignedJSON {
  fileprivate func status(among known: [TCBStatus]) throws(TrustError) -> TCBStatus {
    let status = TCBStatus(rawValue: try text("tcbStatus"))
    guard known.contains(status) else { throw .refused(stage, "\(name).tcbStatus is an unknown word") }
    return status
  }
}
