import Foundation
import MeroCrypto

/// The certificate that everything about quotes has to lead to.
public struct QuoteRoot: Sendable, Hashable {
  package let certificate: Certificate

  /// Another root than Intel's, for tests: whoever holds its key can make quotes that pass.
  ///
  /// - Parameter der: the certificate in DER.
  /// - Throws: ``TrustError/refused(_:)`` when it cannot be read, or is not named as a root of SGX is.
  public init(der: some Sequence<UInt8>) throws {
    do throws(X509Error) {
      certificate = try Certificate(der: Array(der))
    } catch {
      throw TrustError.refused(for: .malformed, "the root cannot be used: \(error)")
    }
    guard certificate.subject.commonName?.contains("SGX Root CA") == true else {
      throw TrustError.refused(for: .malformed, "the root is not named as a root of SGX is")
    }
  }

  private init(_ certificate: Certificate) {
    self.certificate = certificate
  }

  /// The Intel SGX Root CA, valid until the end of 2049.
  public static let intel: QuoteRoot = {
    guard let bytes = Data(base64Encoded: intelBase64),
      let certificate = try? Certificate(der: [UInt8](bytes))
    else { preconditionFailure("a constant of this file was changed") }
    return QuoteRoot(certificate)
  }()

  private static let intelBase64 = """
    MIICjzCCAjSgAwIBAgIUImUM1lqdNInzg7SVUr9QGzknBqwwCgYIKoZIzj0EAwIwaDEaMBgGA1UEAwwRSW50ZWwgU0dYIFJv\
    b3QgQ0ExGjAYBgNVBAoMEUludGVsIENvcnBvcmF0aW9uMRQwEgYDVQQHDAtTYW50YSBDbGFyYTELMAkGA1UECAwCQ0ExCzAJ\
    BgNVBAYTAlVTMB4XDTE4MDUyMTEwNDUxMFoXDTQ5MTIzMTIzNTk1OVowaDEaMBgGA1UEAwwRSW50ZWwgU0dYIFJvb3QgQ0Ex\
    GjAYBgNVBAoMEUludGVsIENvcnBvcmF0aW9uMRQwEgYDVQQHDAtTYW50YSBDbGFyYTELMAkGA1UECAwCQ0ExCzAJBgNVBAYT\
    AlVTMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC6nEwMDIYZOj/iPWsCzaEKi71OiOSLRFhWGjbnBVJfVnkY4u3IjkDYYL\
    0MxO4mqsyYjlBalTVYxFP2sJBK5zlKOBuzCBuDAfBgNVHSMEGDAWgBQiZQzWWp00ifODtJVSv1AbOScGrDBSBgNVHR8ESzBJ\
    MEegRaBDhkFodHRwczovL2NlcnRpZmljYXRlcy50cnVzdGVkc2VydmljZXMuaW50ZWwuY29tL0ludGVsU0dYUm9vdENBLmRl\
    cjAdBgNVHQ4EFgQUImUM1lqdNInzg7SVUr9QGzknBqwwDgYDVR0PAQH/BAQDAgEGMBIGA1UdEwEB/wQIMAYBAf8CAQEwCgYI\
    KoZIzj0EAwIDSQAwRgIhAOW/5QkR+S9CiSDcNoowLuPRLsWGf/Yi7GSX94BgwTwgAiEA4J0lrHoMs+Xo5o/sX6O9QWxHRAvZ\
    UGOdRQ7cvqRXaqI=
    """
}
