import Foundation
import MeroCrypto
import MeroWire

/// A cosign bundle of the older form, with the entry that the Rekor log made of it (50 §5.3). Nothing of it is trusted
/// for being here; ``ReleaseSignature`` checks every part.
package struct CosignBundle: Sendable, Hashable {
  private static let largestText = 1 << 20
  /// Numbers beyond this one would not survive a reader of ordinary JSON.
  private static let largestNumber: Int64 = 1 << 53 - 1

  /// The signature of the file, in DER.
  package let signature: [UInt8]
  /// The signature as it was written.
  package let signatureText: String
  /// The signer's certificate in PEM.
  package let certificatePEM: [UInt8]
  /// Rekor's signature over its entry, in DER.
  package let entryTimestamp: [UInt8]
  /// Rekor's record of the file, base64 of a JSON text.
  package let entryBody: String
  /// When Rekor took it in, in seconds of 1970.
  package let integratedTime: Int64
  package let logIndex: Int64
  /// The id of the log as it was written, 64 hex digits.
  package let logID: String

  /// - Throws: `TrustError.refused` for anything that is no such bundle, the newer Sigstore bundle included.
  package init(parsing text: String) throws(TrustError) {
    guard text.utf8.count <= Self.largestText, let bundle = try? JSONValue(parsing: text),
      let signatureText = bundle["base64Signature"]?.stringValue,
      let certificate = bundle["cert"]?.stringValue, let rekor = bundle["rekorBundle"],
      let timestamp = rekor["SignedEntryTimestamp"]?.stringValue, let payload = rekor["Payload"],
      let body = payload["body"]?.stringValue, let logID = payload["logID"]?.stringValue,
      let time = payload["integratedTime"]?.int64, (0...Self.largestNumber).contains(time),
      let index = payload["logIndex"]?.int64, (0...Self.largestNumber).contains(index),
      (try? Hex.decode(logID, count: 32)) != nil
    else { throw .refused(.release, "the signature is not a cosign bundle with a Rekor entry") }
    guard let signature = strictBase64(signatureText), let certificatePEM = strictBase64(certificate),
      let entryTimestamp = strictBase64(timestamp)
    else { throw .refused(.release, "a part of the release's bundle is not base64") }
    self.signature = signature
    self.signatureText = signatureText
    self.certificatePEM = certificatePEM
    self.entryTimestamp = entryTimestamp
    entryBody = body
    integratedTime = time
    logIndex = index
    self.logID = logID
  }

  /// What Rekor signed: the entry's members in this order, without white space.
  var signedEntry: [UInt8] {
    let entry: JSONValue = [
      "body": .string(entryBody), "integratedTime": JSONValue(integratedTime), "logID": .string(logID),
      "logIndex": JSONValue(logIndex),
    ]
    return [UInt8](entry.text.utf8)
  }
}
