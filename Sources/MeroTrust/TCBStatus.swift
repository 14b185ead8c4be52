/// How current the platform under a quote is, as Intel's collateral says. Open: an unknown word is kept, and refused by
/// every policy that lists words.
public struct TCBStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The word as Intel spells it.
  public let rawValue: String

  /// The status that is spelled `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The same as `rawValue`.
  public var description: String { rawValue }

  /// All patches and settings are in place.
  public static let upToDate = TCBStatus(rawValue: "UpToDate")
  /// The platform needs help from the software on it.
  public static let swHardeningNeeded = TCBStatus(rawValue: "SWHardeningNeeded")
  /// The platform's settings must be changed.
  public static let configurationNeeded = TCBStatus(rawValue: "ConfigurationNeeded")
  /// Both of the above.
  public static let configurationAndSWHardeningNeeded = TCBStatus(
    rawValue: "ConfigurationAndSWHardeningNeeded")
  /// Patches are missing.
  public static let outOfDate = TCBStatus(rawValue: "OutOfDate")
  /// Patches are missing and settings must be changed.
  public static let outOfDateConfigurationNeeded = TCBStatus(rawValue: "OutOfDateConfigurationNeeded")
  /// The platform was patched under the running machine, which must be started anew.
  public static let tdRelaunchAdvised = TCBStatus(rawValue: "TDRelaunchAdvised")
  /// As before, and settings must be changed.
  public static let tdRelaunchAdvisedConfigurationNeeded = TCBStatus(
    rawValue: "TDRelaunchAdvisedConfigurationNeeded")
  /// The platform's keys are known to be compromised. Never accepted.
  public static let revoked = TCBStatus(rawValue: "Revoked")
}
