/// A step in checking an attestation (50 §3.2). Open: later versions may name finer ones.
///
/// A ``TrustReport`` lists the steps that were passed; a ``TrustRefusal`` names the one that was not.
public struct TrustStage: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The step's word.
  public let rawValue: String

  /// The step that is spelled `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The same as `rawValue`.
  public var description: String { rawValue }

  /// The quote is whole, of a version that is known, and about a trust domain.
  public static let quoteFormat = TrustStage(rawValue: "quoteFormat")
  /// The collateral is there and can be read.
  public static let collateral = TrustStage(rawValue: "collateral")
  /// Intel's lists of revoked certificates are signed by their issuers and current.
  public static let revocationLists = TrustStage(rawValue: "revocationLists")
  /// What Intel says about platforms of this kind is signed, current, and about this kind.
  public static let tcbInfo = TrustStage(rawValue: "tcbInfo")
  /// What Intel says about its quoting enclave is signed and current.
  public static let qeIdentity = TrustStage(rawValue: "qeIdentity")
  /// The certificate of the platform's key leads to Intel's root, and nothing on the way is expired or revoked.
  public static let pckChain = TrustStage(rawValue: "pckChain")
  /// The platform's key signed the report of the quoting enclave.
  public static let qeReportSignature = TrustStage(rawValue: "qeReportSignature")
  /// The quoting enclave vouches for the key that signed the quote.
  public static let qeReportData = TrustStage(rawValue: "qeReportData")
  /// The quoting enclave is Intel's, is no debug build, and is not too old.
  public static let qeReport = TrustStage(rawValue: "qeReport")
  /// The quote is signed.
  public static let quoteSignature = TrustStage(rawValue: "quoteSignature")
  /// The platform's patches are at a level that Intel knows.
  public static let tcbLevel = TrustStage(rawValue: "tcbLevel")
  /// The TDX module is Intel's and at a level that Intel knows.
  public static let tdxModule = TrustStage(rawValue: "tdxModule")
  /// Nothing of the platform is revoked.
  public static let notRevoked = TrustStage(rawValue: "notRevoked")
  /// The trust domain is closed: no debugging, no migration, nothing that lets the host look in.
  public static let tdAttributes = TrustStage(rawValue: "tdAttributes")
  /// The platform's status is one that the policy accepts.
  public static let tcbStatus = TrustStage(rawValue: "tcbStatus")
  /// The release that the node names is signed, and recent enough.
  public static let release = TrustStage(rawValue: "release")
  /// All five registers are those of one accepted image.
  public static let measurements = TrustStage(rawValue: "measurements")
  /// The quote was made for our nonce, the node's key and its cluster.
  public static let reportData = TrustStage(rawValue: "reportData")
}
