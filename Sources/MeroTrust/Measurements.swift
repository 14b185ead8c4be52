/// The five registers that together name an image. Only together: the first measures firmware that images share.
public struct Measurements: Sendable, Hashable {
  /// The trust domain's firmware, 48 bytes.
  public var mrtd: [UInt8]
  /// The run-time registers 0 to 3, 48 bytes each.
  public var rtmr: [[UInt8]]

  /// Measurements with these registers.
  public init(mrtd: [UInt8], rtmr: [[UInt8]]) {
    self.mrtd = mrtd
    self.rtmr = rtmr
  }
}
