import MeroKitTestSupport

/// Where the consent page of `mero local` may send people: to programs on this machine, and to what is added.
enum LocalConsent {
  static let options: Set<String> = ["--consent-callback"]
  /// Whatever the port: a program takes one that is free.
  static let standard = "http://127.0.0.1/callback"

  static func apply(_ arguments: Arguments, to cloud: FakeCloud) throws {
    for address in [standard] + arguments.all("--consent-callback")
    where !cloud.allowConsentCallback(address) {
      throw UsageError("--consent-callback takes an address such as notes://consent, not “\(address)”")
    }
  }
}
