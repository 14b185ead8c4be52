import Foundation
import MeroCrypto
import MeroWire

/// Sigstore's certificate authorities and transparency logs, as far as checking a release needs them (50 §5.3).
///
/// The one that is built in is part of the program: fetching it would trust whoever serves it.
public struct SigstoreRoot: Sendable, Hashable {
  /// A certificate authority of Fulcio: its chain, issuing certificate first.
  struct Authority: Sendable, Hashable {
    let chain: [Certificate]
    let validFor: Period
  }

  /// A Rekor log that signs the times of its entries.
  struct Log: Sendable, Hashable {
    /// The SHA-256 of its key.
    let id: [UInt8]
    let key: ECDSA.PublicKey
    let validFor: Period
  }

  /// From when until when a key was in use, in seconds of 1970; both ends count.
  struct Period: Sendable, Hashable {
    let start: Int64
    /// nil means until further notice.
    let end: Int64?

    func contains(_ time: Int64) -> Bool { start <= time && time <= end ?? .max }
  }

  let authorities: [Authority]
  let logs: [Log]

  /// Another root than the public one, for tests: whoever holds its keys can make releases that pass.
  ///
  /// - Parameter json: a `trusted_root.json` as Sigstore publishes it.
  /// - Throws: ``TrustError/refused(_:)`` when it cannot be read, or names no authority or no log that is supported.
  public init(trustedRoot json: Data) throws {
    guard json.count <= 1 << 20, let object = try? JSONValue(parsing: json).objectValue else {
      throw TrustError.refused(for: .malformed, "the Sigstore root is not a JSON object, or too large")
    }
    do throws(X509Error) {
      try self.init(reading: object)
    } catch {
      throw TrustError.refused(for: .malformed, "the Sigstore root cannot be used: \(error)")
    }
  }

  init(reading object: JSONObject) throws(X509Error) {
    guard let listed = object["certificateAuthorities"]?.arrayValue, let tlogs = object["tlogs"]?.arrayValue,
      (1...16).contains(listed.count), (1...16).contains(tlogs.count)
    else { throw .malformed("it lists no authority or no log") }
    var authorities: [Authority] = []
    for authority in listed { authorities.append(try Authority(reading: authority)) }
    var logs: [Log] = []
    for log in tlogs {
      if let log = try Log(reading: log) { logs.append(log) }
    }
    guard !logs.isEmpty else { throw .malformed("no log of it signs the times of its entries") }
    self.authorities = authorities
    self.logs = logs
  }
}

extension SigstoreRoot.Authority {
  fileprivate init(reading value: JSONValue) throws(X509Error) {
    guard let certificates = value["certChain"]?["certificates"]?.arrayValue, !certificates.isEmpty,
      certificates.count <= 8
    else { throw .malformed("an authority has no certificates") }
    var chain: [Certificate] = []
    for certificate in certificates {
      guard let bytes = strictBase64(certificate["rawBytes"]?.stringValue) else {
        throw .malformed("a certificate is not base64")
      }
      chain.append(try Certificate(der: bytes))
    }
    self.chain = chain
    validFor = try SigstoreRoot.Period(reading: value["validFor"])
  }
}

extension SigstoreRoot.Log {
  /// nil for logs that sign in another way, which no release here uses.
  fileprivate init?(reading value: JSONValue) throws(X509Error) {
    guard let publicKey = value["publicKey"] else { throw .malformed("a log has no key") }
    guard publicKey["keyDetails"]?.stringValue == "PKIX_ECDSA_P256_SHA_256" else { return nil }
    guard let bytes = strictBase64(publicKey["rawBytes"]?.stringValue),
      let id = strictBase64(value["logId"]?["keyId"]?.stringValue)
    else { throw .malformed("a log's key or id is not base64") }
    do throws(WireError) {
      var reader = DERReader(bytes)
      key = try ECDSA.PublicKey(reading: &reader)
      try reader.finish()
    } catch {
      throw .malformed("a log's key cannot be read: \(error.reason)")
    }
    guard key.curve == .p256 else { throw .malformed("a log's key is not on P-256") }
    guard id == SHA256.hash(bytes) else { throw .malformed("a log's id is not that of its key") }
    self.id = id
    validFor = try SigstoreRoot.Period(reading: publicKey["validFor"])
  }
}

extension SigstoreRoot.Period {
  fileprivate init(reading value: JSONValue?) throws(X509Error) {
    guard let start = Self.seconds(value?["start"]) else { throw .malformed("a period has no beginning") }
    self.start = start
    if let end = value?["end"], !end.isNull {
      guard let end = Self.seconds(end) else { throw .malformed("a period's end is no time") }
      self.end = end
    } else {
      end = nil
    }
  }

  /// A time in UTC, whose fraction of a second makes no difference to times of whole seconds.
  private static func seconds(_ value: JSONValue?) -> Int64? {
    guard var text = value?.stringValue, text.utf8.count <= 40 else { return nil }
    if let dot = text.firstIndex(of: ".") {
      guard text.hasSuffix("Z"), text[dot...].dropFirst().dropLast().allSatisfy(\.isWholeNumber) else {
        return nil
      }
      text = text[..<dot] + "Z"
    }
    return SignedJSON.time(text).map { Int64($0.timeIntervalSince1970) }
  }
}

/// Base64 with padding; white space is passed over, anything else refused.
func strictBase64(_ text: String?) -> [UInt8]? {
  guard let text else { return nil }
  let characters = text.utf8.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
  guard !characters.isEmpty else { return nil }
  return Data(base64Encoded: Data(characters)).map { [UInt8]($0) }
}
