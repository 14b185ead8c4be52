import MeroCrypto
import MeroWire

/// Who has to have signed a file, as Fulcio's certificate names them.
package struct ReleaseSigner: Sendable, Hashable {
  /// The workflow, with repository and branch.
  package let identity: String
  /// Who vouched for the identity.
  package let issuer: String

  package init(identity: String, issuer: String) {
    self.identity = identity
    self.issuer = issuer
  }

  /// The workflow that releases node images.
  package static let nodeImage = ReleaseSigner(
    identity: "https://github.com/calimero-network/mero-tee/.github/workflows/"
      + "release-node-image-gcp.yaml@refs/heads/master",
    issuer: "https://token.actions.githubusercontent.com")

  private static let issuerExtension: OID = "1.3.6.1.4.1.57264.1.8"
  /// The older form of the same: the text itself, in no DER element.
  private static let rawIssuerExtension: OID = "1.3.6.1.4.1.57264.1.1"
  private static let codeSigning: OID = "1.3.6.1.5.5.7.3.3"

  /// - Throws: `TrustError.refused` unless the certificate was issued to this signer, for signing code.
  func require(_ certificate: Certificate) throws(TrustError) {
    guard let names = certificate.subjectAlternativeNames, names == [.uri(identity)] else {
      throw .refused(.release, "the release is signed by somebody else than the workflow that makes releases")
    }
    guard Self.issuer(of: certificate) == issuer else {
      throw .refused(.release, "the identity of the release's signer was vouched for by somebody else")
    }
    guard certificate.extendedKeyUsage?.contains(Self.codeSigning) == true else {
      throw .refused(.release, "the certificate of the release's signer is not one for signing code")
    }
  }

  private static func issuer(of certificate: Certificate) -> String? {
    if let content = certificate.extensions[issuerExtension] {
      var reader = DERReader(content)
      guard reader.nextTag == .utf8String, let text = try? reader.string(), reader.isAtEnd else { return nil }
      return text
    }
    return certificate.extensions[rawIssuerExtension].flatMap { String(validatingUTF8Bytes: $0) }
  }
}

extension String {
  /// The text these bytes are in UTF-8; nil when they are not UTF-8.
  init?(validatingUTF8Bytes bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
