import Foundation
import MeroCrypto
import Testing

@Suite("X.509 certificates")
struct X509Tests {
  private let time = Date(timeIntervalSince1970: 1_900_000_000)
  private let root: Certificate
  private let intermediate: Certificate
  private let leaf: Certificate

  init() throws {
    root = try CertificateSamples.certificate(CertificateSamples.root)
    intermediate = try CertificateSamples.certificate(CertificateSamples.intermediate)
    leaf = try CertificateSamples.certificate(CertificateSamples.leaf)
  }

  @Test("the fields of a certificate are what OpenSSL shows")
  func fields() throws {
    #expect(leaf.serialNumber == [3] && intermediate.serialNumber == [0x80, 0xFF])
    #expect(leaf.issuer == intermediate.subject && leaf.issuer.commonName == "intermediate")
    #expect(leaf.subject.commonName == "leaf" && !leaf.isAuthority && leaf.basicConstraints == nil)
    #expect(leaf.keyUsage == .digitalSignature && intermediate.keyUsage == .certificateSign)
    #expect(root.keyUsage == [.certificateSign, .revocationListSign])
    #expect(root.basicConstraints?.pathLength == 1 && intermediate.basicConstraints?.pathLength == 0)
    #expect(leaf.publicKey.curve == .p256 && intermediate.publicKey.curve == .p384)
    #expect(leaf.signatureAlgorithm == .ecdsaSHA256 && intermediate.signatureAlgorithm == .ecdsaSHA384)
    #expect(leaf.extendedKeyUsage == ["1.3.6.1.5.5.7.3.3"])
    #expect(leaf.subjectAlternativeNames == [.uri("https://example.test/workflow@main")])
    #expect(leaf.authorityKeyIdentifier == intermediate.subjectKeyIdentifier)
    #expect(
      intermediate.authorityKeyIdentifier == root.subjectKeyIdentifier && root.authorityKeyIdentifier == nil)
    #expect(leaf.subjectKeyIdentifier?.prefix(3) == [0x86, 0x7D, 0xCA])
    #expect(X509Error.text(leaf.notBefore) == "2026-11-30T08:51:38Z")
    #expect(X509Error.text(leaf.notAfter) == "2126-11-06T08:51:38Z")
    #expect(leaf.extensions["2.5.29.17"]?.count == 38 && leaf.extensions["2.5.29.18"] == nil)
  }

  @Test("the Intel SGX root is read, and signs itself")
  func intelRoot() throws {
    let intel = try CertificateSamples.certificate(CertificateSamples.intelRoot)
    #expect(intel.subject.commonName == "Intel SGX Root CA" && intel.issuer == intel.subject)
    #expect(intel.serialNumber.count == 20 && intel.serialNumber.first == 0x22)
    #expect(X509Error.text(intel.notBefore) == "2018-05-21T10:45:10Z")
    #expect(X509Error.text(intel.notAfter) == "2049-12-31T23:59:59Z")
    #expect(intel.isSigned(by: intel.publicKey) && !intel.isSigned(by: root.publicKey))
  }

  @Test("a path is found in any order, with or without the root, and leads to the anchor only")
  func paths() throws {
    let whole = [leaf, intermediate, root]
    for certificates in [
      whole, [leaf, intermediate], [intermediate, leaf], [root, intermediate, leaf],
      [intermediate, root, leaf, root],
    ] {
      #expect(try CertificatePath.verify(certificates, to: root, at: time) == whole)
    }
    let intel = try CertificateSamples.certificate(CertificateSamples.intelRoot)
    for certificates in [
      [], [leaf], [leaf, root], [intermediate, root], [leaf, intermediate, intel],
      [leaf, leaf, intermediate],
      [leaf, intermediate, intermediate],
    ] {
      #expect(throws: X509Error.self) { try CertificatePath.verify(certificates, to: root, at: time) }
    }
    #expect(throws: X509Error.self) { try CertificatePath.verify(whole, to: intel, at: time) }
    #expect(try CertificatePath.verify([leaf], to: intermediate, at: time) == [leaf, intermediate])
    #expect(try CertificatePath.verify([intermediate.self, leaf], to: root, at: time).count == 3)
  }

  @Test("every certificate has to be valid at the time, both ends included")
  func validity() throws {
    for time in [leaf.notBefore, leaf.notAfter] {
      #expect(try CertificatePath.verify([leaf, intermediate], to: root, at: time).count == 3)
    }
    for time in [leaf.notBefore - 1, leaf.notAfter + 1] {
      do {
        _ = try CertificatePath.verify([leaf, intermediate], to: root, at: time)
        Issue.record("valid at \(time)")
      } catch X509Error.outOfDate(let text) {
        #expect(text.contains("2026-11-30T08:51:38Z") && text.contains("2126-11-06T08:51:38Z"))
      }
    }
  }

  @Test("a changed bit anywhere in a certificate breaks the path")
  func everyByte() throws {
    for (encoded, other) in [(leaf.encoded, intermediate), (intermediate.encoded, leaf)] {
      for index in encoded.indices {
        var changed = encoded
        changed[index] ^= 1 << UInt8(index % 8)
        guard let certificate = try? Certificate(der: changed) else { continue }
        #expect(throws: X509Error.self, "byte \(index)") {
          try CertificatePath.verify([certificate, other], to: root, at: time)
        }
      }
    }
  }

  @Test("a certificate that is cut short or goes on is refused")
  func cuts() {
    for count in 0..<leaf.encoded.count {
      #expect(throws: X509Error.self) { try Certificate(der: Array(leaf.encoded.prefix(count))) }
    }
    #expect(throws: X509Error.self) { try Certificate(der: leaf.encoded + [0]) }
  }
}

@Suite("PEM and object identifiers")
struct PEMTests {
  private func block(_ base64: String, newline: String = "\n") -> String {
    "-----BEGIN CERTIFICATE-----\(newline)\(base64)\(newline)-----END CERTIFICATE-----\(newline)"
  }

  private func read(_ text: String, atMost limit: Int = 8) throws -> [Certificate] {
    try PEM.certificates(in: Array(text.utf8)[...], atMost: limit)
  }

  @Test("certificates are read in order, whatever the line ends, up to a NUL")
  func reading() throws {
    let (root, leaf) = (CertificateSamples.root, CertificateSamples.leaf)
    let expected = [try CertificateSamples.certificate(root), try CertificateSamples.certificate(leaf)]
    for text in [
      block(root) + block(leaf), block(root, newline: "\r\n") + "\r\n\n" + block(leaf),
      block(root) + block(leaf) + "\0",
      "\n " + block(root) + block(leaf) + "\0\0",
    ] {
      #expect(try read(text) == expected)
    }
  }

  @Test("anything else than certificates, and more of them than asked for, is refused")
  func refusing() {
    let root = CertificateSamples.root
    for text in [
      "", "\0", " \n", "x" + block(root), block(root) + "x", block(root) + "\0" + block(root),
      block(root).replacingOccurrences(of: "END", with: "AND"), String(block(root).dropLast(3)),
      block(String(root.dropLast(4))), block(root + "*"), block(""),
      block(root).replacingOccurrences(of: "CERTIFICATE", with: "PRIVATE KEY"),
      block(root) + String(repeating: " ", count: 65536),
    ] {
      #expect(throws: X509Error.self) { try read(text) }
    }
    #expect(throws: X509Error.self) { try read(block(root) + block(root), atMost: 1) }
  }

  @Test("identifiers are the bytes that their arcs are written with")
  func identifiers() {
    let id: OID = "1.2.840.113741.1.13.1"
    #expect(Array(id.content) == [0x2A, 0x86, 0x48, 0x86, 0xF8, 0x4D, 1, 13, 1])
    #expect(Array(("2.5.29.17" as OID).content) == [0x55, 0x1D, 0x11])
    #expect(Array(("2.999.3" as OID).content) == [0x88, 0x37, 3])
    #expect(id != "1.2.840.113741.1.13.2" && id == "1.2.840.113741.1.13.1")
  }
}
