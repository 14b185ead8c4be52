import Foundation
import MeroKitTestSupport
import MeroWire

@testable import MeroCrypto
@testable import MeroTrust

extension FuzzTarget {
  static let certificate = FuzzTarget(name: "certificate", dictionary: "der") {
    let platform = TestPlatform()
    var named = platform.signer
    named.more = [
      DER.extension(.subjectAlternativeName, DER.sequence(DER.element(0x86, Array("https://a.test/b".utf8)))),
      DER.extension(.extendedKeyUsage, DER.sequence(DER.oid("1.3.6.1.5.5.7.3.3"))),
      DER.extension(.subjectKeyIdentifier, DER.octets([1, 2, 3])),
      DER.extension(.authorityKeyIdentifier, DER.sequence(DER.element(0x80, [1, 2, 3]))),
    ]
    var crowded = platform.signer
    crowded.more = manyExtensions(7_000)
    var manyNames = platform.signer
    manyNames.more = [
      DER.extension(
        .subjectAlternativeName, DER.element(0x30, Array(filled(with: [0x82, 0x01, 0x61]).prefix(60_000))))
    ]
    return [
      try platform.root.signed(by: platform.rootKey), try platform.authority.signed(by: platform.rootKey),
      try chain(platform)[0].encoded, try named.signed(by: platform.rootKey),
      try crowded.signed(by: platform.rootKey), try manyNames.signed(by: platform.rootKey),
    ]
  } check: { bytes in
    guard let certificate = unlessRefused(X509Error.self, { try Certificate(der: bytes) }) else { return }
    hold(certificate.encoded == bytes, "a certificate is all of its bytes")
    hold(try Certificate(der: bytes) == certificate, "reading twice gives the same")
    hold(!certificate.issuer.isEmpty, "an issuer has a name")
    hold(certificate.serialNumber.first != nil, "a serial number has a byte")
    for part in [certificate.issuer.encoded, certificate.subject.encoded, certificate.serialNumber] {
      hold(bytes[part.indices] == part, "a part is where it stands")
    }
    let text = pem([bytes])
    if text.utf8.count <= 64 * 1024 {
      let read = try PEM.certificates(in: Array(text.utf8)[...])
      hold(read == [certificate], "a certificate's text form is the same certificate")
    }
    _ = unlessRefused(TrustError.self) { try PCKPlatform(certificate) }
    _ = unlessRefused(X509Error.self) {
      try CertificatePath.verify([certificate], to: certificate, at: certificate.notBefore)
    }
    _ = certificate.label
  }

  static let revocationList = FuzzTarget(name: "crl", dictionary: "der") {
    let platform = TestPlatform()
    var long = platform.platformList
    long.serialNumbers = Array(1...2000)
    var crowded = platform.platformList
    crowded.extensions = manyExtensions(7_000)
    var crowdedEntry = platform.platformList
    crowdedEntry.serialNumbers = [1]
    crowdedEntry.entryExtensions = DER.element(0x30, manyExtensions(7_000).flatMap { $0 })
    return try [platform.rootList, platform.platformList, long, crowded, crowdedEntry].map {
      try $0.signed(by: platform.rootKey)
    }
  } check: { bytes in
    guard let list = unlessRefused(X509Error.self, { try RevocationList(der: bytes) }) else { return }
    let root = try Fixture.root.get()
    hold(bytes[list.issuer.encoded.indices] == list.issuer.encoded, "the issuer is where it stands")
    let isVerified: Void? = unlessRefused(X509Error.self) {
      try list.verify(issuedBy: root, at: TestPlatform.now)
    }
    if isVerified != nil {
      let signed = try SignedDER(try Fixture.platforms[0].rootList.signed(by: Fixture.platforms[0].rootKey))
      hold(try SignedDER(bytes).toBeSigned == signed.toBeSigned, "no other list is signed")
    }
    _ = unlessRefused(X509Error.self) { try list.requireGood(root) }
  }

  static let pemText = FuzzTarget(name: "pem", dictionary: "pem") {
    let platform = TestPlatform()
    let chain = try Self.chain(platform)
    return [
      Array(try platform.platformChain().utf8), Array(pem(chain.map(\.encoded)).utf8) + [0],
      filled(with: [0]), filled(with: [0x0A]), filled(with: Array("-----BEGIN CERTIFICATE-----".utf8)),
      Array("-----BEGIN CERTIFICATE-----".utf8) + filled(with: Array("=".utf8)).dropLast(100),
    ]
  } check: { bytes in
    guard let read = unlessRefused(X509Error.self, { try PEM.certificates(in: bytes[...]) }) else { return }
    hold((1...8).contains(read.count), "one to eight certificates")
    let text = Array(pem(read.map(\.encoded)).utf8)
    if text.count <= 64 * 1024 {
      hold(try PEM.certificates(in: text[...]) == read, "writing and reading gives the same")
    }
    let root = try Fixture.root.get()
    hold(
      try PEM.certificates(in: bytes[...], known: root) == read, "a known certificate is the same read anew")
    let path = unlessRefused(X509Error.self) {
      try CertificatePath.verify(read, to: root, at: TestPlatform.now)
    }
    if let path { hold(path.last == root && path.count <= read.count + 1, "a path ends at the root") }
  }

  private static func chain(_ platform: TestPlatform) throws -> [Certificate] {
    try PEM.certificates(in: Array(try platform.platformChain().utf8)[...])
  }

  /// Extensions that all have another identifier.
  private static func manyExtensions(_ count: Int) -> [[UInt8]] {
    (0..<count).map { number in
      DER.sequence(
        DER.element(0x06, [0x80 | UInt8(number >> 7 & 0x3F) + 1, UInt8(number & 0x7F)]), DER.octets([]))
    }
  }
}
