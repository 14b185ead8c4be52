import Foundation
import MeroCrypto
import MeroWire

/// A made-up Sigstore: an authority that certifies signers for ten minutes, and a log that says when a signature was
/// there. It makes the bundles that cosign makes (50 §5.3). The keys are on P-256, where the real authority's are on
/// P-384.
struct TestSigstore: Sendable {
  private static let rootName = "test sigstore"
  private static let authorityName = "test sigstore intermediate"

  /// What a signature says of itself.
  struct Signature: Sendable {
    var identity =
      "https://github.com/calimero-network/mero-tee/.github/workflows/release-node-image-gcp.yaml@refs/heads/master"
    var issuer = "https://token.actions.githubusercontent.com"
    /// When the signer's certificate was issued.
    var issued: Date
    /// When the log recorded the signature.
    var recorded: Date

    init(at time: Date) {
      issued = time
      recorded = time + 3
    }
  }

  private let authorityKey: P256.PrivateKey
  private let logKey: P256.PrivateKey
  private let signerKey: P256.PrivateKey
  private let from: Date
  /// DER, issuing certificate first.
  private let chain: [[UInt8]]

  init(_ random: SeededRandom, now: Date) {
    let rootKey = P256.PrivateKey.made(from: random)
    authorityKey = .made(from: random)
    logKey = .made(from: random)
    signerKey = .made(from: random)
    from = now - 5 * 365 * 86_400
    var root = CertificateDraft(
      serialNumber: 1, issuer: Self.rootName, subject: Self.rootName, key: rootKey.publicKey,
      isAuthority: true,
      pathLength: 1, keyUsage: 0x06)
    var authority = CertificateDraft(
      serialNumber: 2, issuer: Self.rootName, subject: Self.authorityName, key: authorityKey.publicKey,
      isAuthority: true, pathLength: 0, keyUsage: 0x06)
    authority.more = [Self.extendedKeyUsage]
    root.from = from
    root.until = now + 10 * 365 * 86_400
    authority.from = root.from
    authority.until = root.until
    do {
      chain = [try authority.signed(by: rootKey), try root.signed(by: rootKey)]
    } catch {
      preconditionFailure("a test's own key did not sign: \(error)")
    }
  }

  private static let extendedKeyUsage = DER.extension(
    .extendedKeyUsage, DER.sequence(DER.oid("1.3.6.1.5.5.7.3.3")))

  private var logKeyDER: [UInt8] { DER.publicKey(logKey.publicKey) }
  private var logId: [UInt8] { SHA256.hash(logKeyDER) }

  /// What a client must know to believe the bundles, as Sigstore publishes it.
  var trustedRoot: JSONValue {
    let validFor: JSONValue = ["start": .string(ISO8601DateFormatter().string(from: from))]
    return [
      "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      "tlogs": [
        [
          "baseUrl": "https://rekor.test", "hashAlgorithm": "SHA2_256",
          "publicKey": [
            "rawBytes": .string(base64(logKeyDER)), "keyDetails": "PKIX_ECDSA_P256_SHA_256",
            "validFor": validFor,
          ],
          "logId": ["keyId": .string(base64(logId))],
        ]
      ],
      "certificateAuthorities": [
        [
          "subject": ["organization": "Tests", "commonName": .string(Self.rootName)],
          "uri": "https://fulcio.test",
          "certChain": ["certificates": .array(chain.map { ["rawBytes": .string(base64($0))] })],
          "validFor": validFor,
        ]
      ],
    ]
  }

  /// A legacy cosign bundle with a Rekor entry.
  func bundle(of file: [UInt8], _ signature: Signature) throws -> JSONValue {
    let certificate = base64(Array(pem([try leaf(signature)]).utf8))
    let signed = base64(try signerKey.sign(file))
    let entry: JSONValue = [
      "apiVersion": "0.0.1", "kind": "hashedrekord",
      "spec": [
        "data": ["hash": ["algorithm": "sha256", "value": .string(Hex.encode(SHA256.hash(file)))]],
        "signature": ["content": .string(signed), "publicKey": ["content": .string(certificate)]],
      ],
    ]
    let body = base64(Array(entry.text.utf8))
    let time = Int64(signature.recorded.timeIntervalSince1970)
    let index = 1_000_000
    let logId = Hex.encode(logId)
    // The one form of the entry that the log's signature covers: these keys, in this order, without spaces.
    let covered = #"{"body":"\#(body)","integratedTime":\#(time),"logID":"\#(logId)","logIndex":\#(index)}"#
    return [
      "base64Signature": .string(signed), "cert": .string(certificate),
      "rekorBundle": [
        "SignedEntryTimestamp": .string(base64(try logKey.sign(Array(covered.utf8)))),
        "Payload": [
          "body": .string(body), "integratedTime": JSONValue(time), "logIndex": JSONValue(index),
          "logID": .string(logId),
        ],
      ],
    ]
  }

  /// The certificate of a signer: without a name, for the identity that its token showed, for ten minutes.
  private func leaf(_ signature: Signature) throws -> [UInt8] {
    var leaf = CertificateDraft(
      serialNumber: 3, issuer: Self.authorityName, subject: "", key: signerKey.publicKey, keyUsage: 0x80)
    leaf.from = signature.issued
    leaf.until = signature.issued + 600
    leaf.more = [
      Self.extendedKeyUsage,
      DER.extension(
        .subjectAlternativeName, critical: true,
        DER.sequence(DER.element(0x86, Array(signature.identity.utf8)))),
      DER.extension("1.3.6.1.4.1.57264.1.1", Array(signature.issuer.utf8)),
      DER.extension("1.3.6.1.4.1.57264.1.8", DER.text(signature.issuer)),
    ]
    return try leaf.signed(by: authorityKey)
  }

  private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

extension P256.PrivateKey {
  /// The next key of a source of randomness.
  static func made(from random: SeededRandom) -> P256.PrivateKey {
    // All but one in four billion numbers of 32 bytes are keys.
    while true {
      if let key = try? P256.PrivateKey(scalar: random.bytes(32)) { return key }
    }
  }
}
