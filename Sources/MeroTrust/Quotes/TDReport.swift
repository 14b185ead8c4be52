/// What the hardware says about a trust domain (50 §3.1).
package struct TDReport: Sendable, Hashable, FixedLayout {
  package enum Kind: Sendable, Hashable {
    /// TD report 1.0.
    case td10
    /// TD report 1.5: also what a service TD measured, and the TDX module as it is now.
    case td15

    package var size: Int { self == .td10 ? 584 : 648 }
  }

  package let kind: Kind
  let bytes: ArraySlice<UInt8>

  package var teeTcbSvn: ArraySlice<UInt8> { field(0, 16) }
  package var mrSeam: ArraySlice<UInt8> { field(16, 48) }
  package var mrSignerSeam: ArraySlice<UInt8> { field(64, 48) }
  package var seamAttributes: ArraySlice<UInt8> { field(112, 8) }
  package var tdAttributes: ArraySlice<UInt8> { field(120, 8) }
  package var xfam: ArraySlice<UInt8> { field(128, 8) }
  package var mrTd: ArraySlice<UInt8> { field(136, 48) }
  package var mrConfigId: ArraySlice<UInt8> { field(184, 48) }
  package var mrOwner: ArraySlice<UInt8> { field(232, 48) }
  package var mrOwnerConfig: ArraySlice<UInt8> { field(280, 48) }
  package var rtmr0: ArraySlice<UInt8> { field(328, 48) }
  package var rtmr1: ArraySlice<UInt8> { field(376, 48) }
  package var rtmr2: ArraySlice<UInt8> { field(424, 48) }
  package var rtmr3: ArraySlice<UInt8> { field(472, 48) }
  package var reportData: ArraySlice<UInt8> { field(520, 64) }
  /// The TDX module's SVN now, which an update under a running trust domain moves; nil in report 1.0.
  package var teeTcbSvn2: ArraySlice<UInt8>? { kind == .td15 ? field(584, 16) : nil }
  /// What a service TD measured; nil in report 1.0.
  package var mrServiceTd: ArraySlice<UInt8>? { kind == .td15 ? field(600, 48) : nil }

  package var measurements: Measurements {
    Measurements(mrtd: [UInt8](mrTd), rtmr: [rtmr0, rtmr1, rtmr2, rtmr3].map { [UInt8]($0) })
  }

  /// The body of a quote of `version`, whatever stands before it.
  init(from cursor: inout QuoteCursor, version: Int) throws(TrustError) {
    if version == 4 {
      kind = .td10
    } else {
      let type = try cursor.number(2, "body type")
      let size = try cursor.number(4, "body size")
      switch type {
      case 1: throw .refused(.quoteFormat, "the quote of an SGX enclave, not of a trust domain")
      case 2: kind = .td10
      case 3: kind = .td15
      default: throw .refused(.quoteFormat, "the quote's body is of an unknown type (\(type))")
      }
      guard size == kind.size else {
        throw .refused(.quoteFormat, "the quote's body is not as long as its type says")
      }
    }
    bytes = try cursor.take(kind.size, "report")
  }
}
