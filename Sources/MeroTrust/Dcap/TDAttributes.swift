/// The attributes of a trust domain that decide whether anybody can look into it (50 §3.11).
enum TDAttributes {
  private static let debug: UInt64 = 1 << 0
  private static let profiling: UInt64 = 1 << 4 | 1 << 5 | 1 << 6
  private static let serviceTDExtension: UInt64 = 1 << 17
  private static let septVeDisable: UInt64 = 1 << 28
  private static let migratable: UInt64 = 1 << 29
  /// Bits that change what the domain may use, not who may look in.
  private static let harmless: UInt64 =
    1 << 16 | 0b11111 << 18 | 1 << 27 | 1 << 30 | 1 << 31 | 1 << 62 | 1 << 63

  static func require(_ report: TDReport) throws(TrustError) {
    let bits = report.tdAttributes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard bits & debug == 0 else {
      throw .refused(
        .tdAttributes, "the trust domain is a debug one: its host can read and change its memory")
    }
    guard bits & profiling == 0 else {
      throw .refused(.tdAttributes, "the trust domain can be profiled by its host")
    }
    guard bits & serviceTDExtension == 0 else {
      throw .refused(.tdAttributes, "another trust domain may extend this one")
    }
    guard bits & septVeDisable != 0 else {
      throw .refused(.tdAttributes, "the host could take memory away from the trust domain unnoticed")
    }
    guard bits & migratable == 0 else {
      throw .refused(.tdAttributes, "the trust domain may be moved to another machine")
    }
    guard bits & ~(septVeDisable | harmless) == 0 else {
      throw .refused(.tdAttributes, "the trust domain has an attribute that nobody knows")
    }
    // A service TD could change this one; only no service TD measures as zeros.
    guard report.mrServiceTd?.allSatisfy({ $0 == 0 }) ?? true else {
      throw .refused(.tdAttributes, "a service trust domain is bound to this one")
    }
  }
}
