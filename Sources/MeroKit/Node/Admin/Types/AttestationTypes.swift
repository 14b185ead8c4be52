import MeroWire

/// The hardware a node runs on.
public struct TeeInfoResponseData: Codable, Sendable, Hashable {
  /// Whose machine it is.
  public var cloudProvider: String
  /// What it booted.
  public var osImage: String
  /// Measurement of the image, hex.
  public var mrtd: String

  /// Creates one from its fields.
  public init(cloudProvider: String, osImage: String, mrtd: String) {
    self.cloudProvider = cloudProvider
    self.osImage = osImage
    self.mrtd = mrtd
  }
}

/// A question to a node's hardware.
public struct TeeAttestRequest: Codable, Sendable, Hashable {
  /// 64 hex, fresh.
  public var nonce: String
  /// The application to commit to, 64 hex.
  public var applicationId: String?
  /// Whether the quote should commit to the node's signing key.
  public var bindNodeKey: Bool
  /// Whether the quote should commit to the key requests are sealed to.
  public var bindTransportKey: Bool
  /// Whether to send what Intel signed along.
  public var includeCollateral: Bool

  /// Creates the request.
  public init(
    nonce: String, applicationId: String? = nil, bindNodeKey: Bool = false, bindTransportKey: Bool = false,
    includeCollateral: Bool = false
  ) {
    self.nonce = nonce
    self.applicationId = applicationId
    self.bindNodeKey = bindNodeKey
    self.bindTransportKey = bindTransportKey
    self.includeCollateral = includeCollateral
  }

  /// Reads the request; members that were left out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    nonce = try members.value(.nonce)
    applicationId = try members.optional(.applicationId)
    bindNodeKey = try members.value(.bindNodeKey, or: false)
    bindTransportKey = try members.value(.bindTransportKey, or: false)
    includeCollateral = try members.value(.includeCollateral, or: false)
  }
}

extension TeeAttestRequest {
  private enum CodingKeys: String, CodingKey {
    case nonce, applicationId, bindNodeKey, bindTransportKey, includeCollateral
  }

  /// Writes the request. Flags that are false are left out: older nodes refuse them as unknown.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(nonce, forKey: .nonce)
    try members.encodeIfPresent(applicationId, forKey: .applicationId)
    for (flag, key) in [
      (bindNodeKey, CodingKeys.bindNodeKey), (bindTransportKey, .bindTransportKey),
      (includeCollateral, .includeCollateral),
    ] where flag {
      try members.encode(true, forKey: key)
    }
  }
}

/// A node's evidence. Nothing in it is checked here: what counts is `quoteB64`, given to a verifier.
public struct TeeAttestResponseData: Codable, Sendable, Hashable {
  /// The quote, base64.
  public var quoteB64: String
  /// The same, parsed by the node, to look at.
  public var quote: Quote
  /// The node's signing key, when the quote commits to it, 64 hex.
  public var boundPublicKey: String?
  /// The key requests are sealed to, when the quote commits to it, 64 hex.
  public var transportPublicKey: String?
  /// What Intel signed, when it was asked for.
  public var collateral: JSONValue?

  /// Creates one from its fields.
  public init(
    quoteB64: String, quote: Quote, boundPublicKey: String? = nil, transportPublicKey: String? = nil,
    collateral: JSONValue? = nil
  ) {
    self.quoteB64 = quoteB64
    self.quote = quote
    self.boundPublicKey = boundPublicKey
    self.transportPublicKey = transportPublicKey
    self.collateral = collateral
  }
}

/// A question to the hardware of a node of a fleet.
public struct TeeRegistrationAttestRequest: Codable, Sendable, Hashable {
  /// 64 hex, fresh.
  public var nonce: String

  /// Creates the request.
  public init(nonce: String) {
    self.nonce = nonce
  }
}

/// The signed release a node says it runs, as text to verify byte for byte.
public struct TeeReleaseResponseData: Codable, Sendable, Hashable {
  /// The release.
  public var version: String
  /// The measurements file, exactly as published.
  public var publishedMrtds: String
  /// Its Sigstore bundle, exactly as published.
  public var bundle: String

  /// Creates one from its fields.
  public init(version: String, publishedMrtds: String, bundle: String) {
    self.version = version
    self.publishedMrtds = publishedMrtds
    self.bundle = bundle
  }
}
