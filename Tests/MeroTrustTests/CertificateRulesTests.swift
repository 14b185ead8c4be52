import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("rules about certificates and revocation lists")
struct CertificateRulesTests {
  private let key = TestPlatform.key(1)
  private let time = TestPlatform.now

  private func draft(_ change: (inout CertificateDraft) -> Void = { _ in }) -> CertificateDraft {
    var draft = CertificateDraft(issuer: "Root", subject: "Leaf", key: TestPlatform.key(2).publicKey)
    change(&draft)
    return draft
  }

  @Test("a critical extension that nobody knows is refused, any other one kept")
  func criticalExtensions() throws {
    let harmless = DER.extension("1.2.3.4", DER.octets([7]))
    #expect(try draft { $0.more = [harmless] }.certificate(signedBy: key).extensions["1.2.3.4"] == [4, 1, 7])
    for id in ["1.2.3.4", "2.5.29.30", "2.5.29.36", "2.5.29.31"] as [OID] {
      let critical = DER.extension(id, critical: true, DER.octets([7]))
      #expect(throws: X509Error.self) { try draft { $0.more = [critical] }.certificate(signedBy: key) }
    }
  }

  @Test("an extension that is there twice is refused, equal or not")
  func duplicates() {
    for other in [DER.octets([7]), DER.octets([8])] {
      let twice = [DER.extension("1.2.3.4", DER.octets([7])), DER.extension("1.2.3.4", other)]
      #expect(throws: X509Error.self) { try draft { $0.more = twice }.certificate(signedBy: key) }
    }
  }

  @Test("thousands of extensions are read in no time, before anything shows whether they are signed")
  func manyExtensions() throws {
    let many = (0..<6_000).map { number in
      DER.sequence(
        DER.element(0x06, [0x81 + UInt8(number >> 7), UInt8(number & 0x7F)]), DER.octets([]))
    }
    let bytes = try self.draft { $0.more = many }.signed(by: key)
    var draft = RevocationDraft(issuer: "Root")
    draft.extensions = many
    let list = try draft.signed(by: key)
    let start = processorTime()
    _ = try Certificate(der: bytes)
    _ = try RevocationList(der: list)
    #expect(processorTime() - start < 2)
  }

  /// What this thread has used of a processor; what else runs on the machine does not count.
  private func processorTime() -> TimeInterval {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) * 1e-9
  }

  @Test(
    "another version, a missing algorithm's twin, a spelled-out default and nonsense in known extensions are refused"
  )
  func forms() {
    let sha384 = DER.sequence(DER.oid("1.2.840.10045.4.3.3"))
    let no: [UInt8] = [0x01, 0x01, 0x00]
    for change: (inout CertificateDraft) -> Void in [
      { $0.version = [] }, { $0.version = DER.explicit(0, DER.integer(1)) },
      { $0.algorithm = DER.sequence(DER.oid("1.2.840.10045.4.3.4")) },
      { $0.algorithm = DER.sequence(DER.oid("1.2.840.10045.4.3.2"), [5, 0]) },
      { $0.more = [DER.sequence(DER.oid("1.2.3"), no, DER.octets([]))] },
      { $0.more = [DER.extension(.basicConstraints, DER.sequence(no))] },
      { $0.more = [DER.extension(.basicConstraints, DER.sequence(DER.integer(1)))] },
      { $0.more = [DER.extension(.basicConstraints, DER.sequence(DER.yes) + [0])] },
      { $0.more = [DER.extension(.keyUsage, DER.octets([1]))] },
      { $0.more = [DER.extension(.extendedKeyUsage, DER.sequence())] },
      { $0.more = [DER.extension(.subjectAlternativeName, DER.sequence())] },
      { $0.more = [DER.extension(.subjectAlternativeName, DER.sequence([0x86, 1, 0xC3]))] },
      { $0.more = [DER.extension(.subjectKeyIdentifier, DER.integer(1))] },
      { $0.more = [DER.extension(.authorityKeyIdentifier, DER.octets([1]))] },
      { $0.more = [DER.element(0x30, [])] },
    ] {
      #expect(throws: X509Error.self) { try draft(change).certificate(signedBy: key) }
    }
    // The algorithm outside of what is signed is the one inside.
    #expect(throws: X509Error.self) {
      var bytes = try draft { $0.algorithm = sha384 }.signed(by: key)
      let inner = try #require(bytes.indices.first { bytes[$0...].starts(with: sha384) })
      bytes.replaceSubrange(inner..<inner + sha384.count, with: DER.ecdsaSHA256)
      _ = try Certificate(der: bytes)
    }
  }

  private func path(_ authority: (inout CertificateDraft) -> Void) throws -> Int {
    var root = CertificateDraft(
      issuer: "Root", subject: "Root", key: key.publicKey, isAuthority: true, pathLength: 1, keyUsage: 0x06)
    var middle = CertificateDraft(
      issuer: "Root", subject: "Middle", key: TestPlatform.key(2).publicKey, isAuthority: true, keyUsage: 0x04
    )
    authority(&middle)
    let leaf = CertificateDraft(issuer: "Middle", subject: "Leaf", key: TestPlatform.key(3).publicKey)
    if middle.pathLength == 99 {
      middle.pathLength = nil
      root.pathLength = 0
    }
    return try CertificatePath.verify(
      [leaf.certificate(signedBy: TestPlatform.key(2)), middle.certificate(signedBy: key)],
      to: root.certificate(signedBy: key), at: time
    ).count
  }

  @Test("only an authority that may sign certificates, within its path length, stands above another")
  func authorities() throws {
    #expect(try path { _ in } == 3)
    #expect(try path { $0.pathLength = 0 } == 3)
    #expect(throws: X509Error.self) { try path { $0.isAuthority = false } }
    #expect(throws: X509Error.self) { try path { $0.keyUsage = nil } }
    #expect(throws: X509Error.self) { try path { $0.keyUsage = 0x02 } }
    // The root allows no authority below it.
    #expect(throws: X509Error.self) { try path { $0.pathLength = 99 } }
  }

  private func list(_ change: (inout RevocationDraft) -> Void = { _ in }) throws -> RevocationList {
    var list = RevocationDraft(issuer: "Root", serialNumbers: [5, 0x80, 0x1234])
    change(&list)
    return try RevocationList(der: try list.signed(by: key))
  }

  @Test("a list names the revoked by number, and is good until its next update")
  func lists() throws {
    let root = try CertificateDraft(
      issuer: "Root", subject: "Root", key: key.publicKey, isAuthority: true, keyUsage: 0x06
    ).certificate(signedBy: key)
    let list = try list()
    try list.verify(issuedBy: root, at: time)
    for number in [5, 0x80, 0x1234] {
      let revoked = try draft { $0.serialNumber = number }.certificate(signedBy: key)
      #expect(throws: X509Error.revoked("“Leaf” is revoked")) { try list.requireGood(revoked) }
    }
    for number in [1, 4, 0x34, 0x12] {
      try list.requireGood(try draft { $0.serialNumber = number }.certificate(signedBy: key))
    }
    try list.verify(issuedBy: root, at: list.nextUpdate - 1)
    #expect(throws: X509Error.self) { try list.verify(issuedBy: root, at: list.nextUpdate) }
    let stranger = try CertificateDraft(
      issuer: "Root", subject: "Root", key: TestPlatform.key(7).publicKey, isAuthority: true, keyUsage: 0x06
    ).certificate(signedBy: key)
    #expect(throws: X509Error.self) { try list.verify(issuedBy: stranger, at: time) }
    try self.list { $0.serialNumbers = [] }.requireGood(try draft().certificate(signedBy: key))
  }

  @Test("lists that are about something else than all of an issuer's certificates are refused")
  func specialLists() throws {
    let reason = DER.element(0x30, DER.extension("2.5.29.21", DER.element(0x0A, [1])))
    _ = try list { $0.entryExtensions = reason }
    _ = try list { $0.extensions = [] }
    let foreign = DER.element(0x30, DER.extension("2.5.29.29", critical: true, DER.name("Another")))
    #expect(throws: X509Error.self) { try list { $0.entryExtensions = foreign } }
    for id in ["2.5.29.27", "2.5.29.28"] as [OID] {
      let special = DER.extension(id, critical: true, DER.integer(1))
      #expect(throws: X509Error.self) { try list { $0.extensions = [special] } }
    }
  }
}
