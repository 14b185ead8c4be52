import MeroWire

/// A TDX quote as the node parsed it: a convenience, never a ground for trust.
public struct Quote: Codable, Sendable, Hashable {
  /// What signed it.
  public var header: QuoteHeader
  /// What it measures.
  public var body: QuoteBody
  /// Hex.
  public var signature: String
  /// Hex.
  public var attestationKey: String
  /// Who vouches for the key.
  public var certificationData: QuoteCertification

  /// Creates one from its fields.
  public init(
    header: QuoteHeader, body: QuoteBody, signature: String, attestationKey: String,
    certificationData: QuoteCertification
  ) {
    self.header = header
    self.body = body
    self.signature = signature
    self.attestationKey = attestationKey
    self.certificationData = certificationData
  }
}

/// The head of a quote.
public struct QuoteHeader: Codable, Sendable, Hashable {
  /// Of the layout.
  public var version: UInt16
  /// Of the key that signed.
  public var attestationKeyType: UInt16
  /// Of the hardware.
  public var teeType: UInt32
  /// Hex.
  public var qeVendorId: String
  /// Hex.
  public var userData: String

  /// Creates one from its fields.
  public init(
    version: UInt16, attestationKeyType: UInt16, teeType: UInt32, qeVendorId: String, userData: String
  ) {
    self.version = version
    self.attestationKeyType = attestationKeyType
    self.teeType = teeType
    self.qeVendorId = qeVendorId
    self.userData = userData
  }
}

/// What a quote measures; all hex.
public struct QuoteBody: Codable, Sendable, Hashable {
  /// `1.0` or `1.5`.
  public var tdxVersion: String
  /// Security version of the platform.
  public var teeTcbSvn: String
  /// Measurement of the TDX module.
  public var mrseam: String
  /// Its signer.
  public var mrsignerseam: String
  /// Its attributes.
  public var seamattributes: String
  /// Attributes of the domain.
  public var tdattributes: String
  /// Processor features of the domain.
  public var xfam: String
  /// Measurement of the image.
  public var mrtd: String
  /// Configuration id.
  public var mrconfigid: String
  /// Owner.
  public var mrowner: String
  /// Owner's configuration.
  public var mrownerconfig: String
  /// Firmware's configuration.
  public var rtmr0: String
  /// Boot loader and kernel.
  public var rtmr1: String
  /// Kernel's arguments and initial disk.
  public var rtmr2: String
  /// The application's own register.
  public var rtmr3: String
  /// What the node committed to.
  public var reportdata: String
  /// Only in 1.5.
  public var teeTcbSvn2: String?
  /// Only in 1.5.
  public var mrservicetd: String?

  /// Creates one from its fields.
  public init(
    tdxVersion: String, teeTcbSvn: String, mrseam: String, mrsignerseam: String, seamattributes: String,
    tdattributes: String, xfam: String, mrtd: String, mrconfigid: String, mrowner: String,
    mrownerconfig: String, rtmr0: String, rtmr1: String, rtmr2: String, rtmr3: String, reportdata: String,
    teeTcbSvn2: String? = nil, mrservicetd: String? = nil
  ) {
    self.tdxVersion = tdxVersion
    self.teeTcbSvn = teeTcbSvn
    self.mrseam = mrseam
    self.mrsignerseam = mrsignerseam
    self.seamattributes = seamattributes
    self.tdattributes = tdattributes
    self.xfam = xfam
    self.mrtd = mrtd
    self.mrconfigid = mrconfigid
    self.mrowner = mrowner
    self.mrownerconfig = mrownerconfig
    self.rtmr0 = rtmr0
    self.rtmr1 = rtmr1
    self.rtmr2 = rtmr2
    self.rtmr3 = rtmr3
    self.reportdata = reportdata
    self.teeTcbSvn2 = teeTcbSvn2
    self.mrservicetd = mrservicetd
  }
}

/// Who vouches for a quote's key.
public struct QuoteCertification: Codable, Sendable, Hashable {
  /// `pckCertChain`, `qeReportCertificationData` and others.
  public var type: String
  /// By type: hex or an object.
  public var data: JSONValue

  /// Creates one from its fields.
  public init(type: String, data: JSONValue) {
    self.type = type
    self.data = data
  }
}
