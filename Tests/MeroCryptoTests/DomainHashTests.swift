import MeroCrypto
import Testing

struct DomainHashTests {
  @Test("a domain hash is SHA-256 over the domain and the parts, each behind its length")
  func example() {
    let hash = domainHash("calimero.test", [[1, 2], []])
    #expect(hex(hash) == "b2d5000d7079f01beb8f72d0f19794ebc216b413930d8c67ef96e1131c670ff8")
  }

  @Test("different splits of the same bytes hash differently")
  func splits() {
    let hashes: Set<[UInt8]> = [
      domainHash("d", [Array("ab".utf8), Array("c".utf8)]),
      domainHash("d", [Array("a".utf8), Array("bc".utf8)]),
      domainHash("da", [Array("b".utf8), Array("c".utf8)]),
      domainHash("d", [Array("abc".utf8)]),
      domainHash("d", [[]]),
      domainHash("d", []),
    ]
    #expect(hashes.count == 6)
  }
}
