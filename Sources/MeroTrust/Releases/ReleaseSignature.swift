import Foundation
import MeroCrypto
import MeroWire

/// Checks that a file was signed by one signer, without any network and at any time (50 §5.3).
///
/// The signer's certificate lives for ten minutes. What makes it good for ever is Rekor's word, itself signed, that the
/// signature was there at a moment within them; so everything is judged as of that moment, and the clock is never read.
package struct ReleaseSignature: Sendable {
  let root: SigstoreRoot
  let signer: ReleaseSigner

  package init(root: SigstoreRoot, signer: ReleaseSigner = .nodeImage) {
    self.root = root
    self.signer = signer
  }

  /// Accepts `file` as signed or throws the step that does not hold.
  ///
  /// - Parameter detached: the content of a `.sig` file, which then has to hold the bundle's signature.
  /// - Throws: `TrustError.refused`.
  package func verify(
    _ file: [UInt8], bundle: CosignBundle, detached: String? = nil
  ) throws(TrustError) {
    if let detached {
      let whitespace = CharacterSet.whitespacesAndNewlines
      guard
        detached.trimmingCharacters(in: whitespace) == bundle.signatureText.trimmingCharacters(in: whitespace)
      else { throw .refused(.release, "the detached signature is not that of the bundle") }
    }
    let leaf = try certificate(bundle)
    try verifyTimestamp(bundle)
    try verifyEntry(bundle, file: file, leaf: leaf)
    guard leaf.publicKey.curve == .p256, leaf.publicKey.isValid(der: bundle.signature, for: file) else {
      throw .refused(.release, "the signature does not fit the release: a byte of it was changed")
    }
    try verifyChain(leaf, at: bundle.integratedTime)
    try signer.require(leaf)
  }

  private func certificate(_ bundle: CosignBundle) throws(TrustError) -> Certificate {
    do throws(X509Error) {
      return try PEM.certificates(in: bundle.certificatePEM[...], atMost: 1)[0]
    } catch {
      throw .refused(.release, "the certificate of the release's signer cannot be read: \(error)")
    }
  }

  private func verifyTimestamp(_ bundle: CosignBundle) throws(TrustError) {
    let id = bundle.logID.lowercased()
    guard let log = root.logs.first(where: { Hex.encode($0.id) == id }) else {
      throw .refused(.release, "the release is recorded in a log that is not known")
    }
    guard log.key.isValid(der: bundle.entryTimestamp, for: bundle.signedEntry) else {
      throw .refused(.release, "the log did not sign its entry for the release")
    }
    guard log.validFor.contains(bundle.integratedTime) else {
      throw .refused(.release, "the log's key was not in use when the release was recorded")
    }
  }

  /// The log's entry is about this file, this signature and this certificate.
  private func verifyEntry(_ bundle: CosignBundle, file: [UInt8], leaf: Certificate) throws(TrustError) {
    guard let bytes = strictBase64(bundle.entryBody), let entry = try? JSONValue(parsing: bytes),
      entry["kind"]?.stringValue == "hashedrekord", let spec = entry["spec"]
    else { throw .refused(.release, "the log's entry is of another kind") }
    let hash = spec["data"]?["hash"]
    guard hash?["algorithm"]?.stringValue == "sha256",
      hash?["value"]?.stringValue == Hex.encode(SHA256.hash(file))
    else { throw .refused(.release, "the log's entry is about another file") }
    guard strictBase64(spec["signature"]?["content"]?.stringValue) == bundle.signature else {
      throw .refused(.release, "the log's entry is about another signature")
    }
    guard let pem = strictBase64(spec["signature"]?["publicKey"]?["content"]?.stringValue),
      let listed = try? PEM.certificates(in: pem[...], atMost: 1), listed == [leaf]
    else { throw .refused(.release, "the log's entry is about another signer") }
  }

  private func verifyChain(_ leaf: Certificate, at seconds: Int64) throws(TrustError) {
    let time = Date(timeIntervalSince1970: TimeInterval(seconds))
    guard leaf.isValid(at: time) else {
      throw .refused(
        .release,
        "the signer's certificate was not valid when the release was recorded (\(X509Error.text(time)))")
    }
    let authority = root.authorities.first { authority in
      let issuer = authority.chain[0]
      return authority.validFor.contains(seconds) && issuer.subject == leaf.issuer
        && leaf.isSigned(by: issuer.publicKey)
    }
    guard let authority else {
      throw .refused(.release, "the signer's certificate was issued by no authority that is known")
    }
    for (position, certificate) in authority.chain.enumerated() {
      let issuer = authority.chain[min(position + 1, authority.chain.count - 1)]
      guard certificate.isValid(at: time), certificate.isAuthority, certificate.isSigned(by: issuer.publicKey)
      else {
        throw .refused(.release, "the authority's own certificates do not hold for the time of the signature")
      }
    }
  }
}
