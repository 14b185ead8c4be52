import Foundation
import MeroTrust

/// Where the cloud and the wallet are, and which app signs in (40 §2).
public struct CloudConfig: Sendable {
  /// The cloud's API. Its pages are elsewhere and refuse what is meant for the API.
  public static let defaultBaseURL = "https://manager.cloud.calimero.network"

  /// The wallet's page that certifies devices.
  public var walletURL: String
  /// The cloud's API.
  public var cloudBaseURL: String
  /// Which app logs in at relays.
  public var audience: LoginAudience
  /// How the app is called in a node's list of sessions; nil for the relay's URL.
  public var clientName: String?
  /// What a relay has to prove before it is written to; nil for ``DcapRelayKeyVerifier``.
  public var relayKeyVerifier: (any RelayKeyVerifier)?
  /// How long a warrant is good, in seconds.
  public var warrantTTLSeconds: UInt64
  /// Where signed releases are fetched.
  public var releaseMirrorURL: String

  /// A configuration of these parts.
  public init(
    walletURL: String = DeviceEnrolment.defaultWalletURL, cloudBaseURL: String = defaultBaseURL,
    audience: LoginAudience = .current, clientName: String? = nil,
    relayKeyVerifier: (any RelayKeyVerifier)? = nil, warrantTTLSeconds: UInt64 = 300,
    releaseMirrorURL: String = DelegatedEnvironment.defaultReleaseMirrorURL
  ) {
    self.walletURL = walletURL
    self.cloudBaseURL = cloudBaseURL
    self.audience = audience
    self.clientName = clientName
    self.relayKeyVerifier = relayKeyVerifier
    self.warrantTTLSeconds = warrantTTLSeconds
    self.releaseMirrorURL = releaseMirrorURL
  }
}
