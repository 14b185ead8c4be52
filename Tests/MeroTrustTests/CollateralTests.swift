import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("collateral as a node sends it")
struct CollateralTests {
  @Test("bytes are hex in either case or lists of numbers, with the same verdict")
  func bothForms() throws {
    let platform = TestPlatform()
    let given = try platform.collateral()
    let parsed = try QuoteCollateral(parsing: given)
    var object = try #require(given.objectValue)
    for (name, value) in object {
      guard let text = value.stringValue, let bytes = try? Hex.decode(text), !bytes.isEmpty else { continue }
      object[name] = .array(bytes.map { JSONValue($0) })
    }
    #expect(try QuoteCollateral(parsing: .object(object)) == parsed)
    for name in ["root_ca_crl", "tcb_info_signature"] {
      object[name] = given[name]?.stringValue.map { .string($0.uppercased()) }
    }
    #expect(try QuoteCollateral(parsing: .object(object)) == parsed)
  }

  @Test("a missing member, and one of another type, are refused by name; a null chain is no chain")
  func members() throws {
    let given = try #require(try TestPlatform().collateral().objectValue)
    #expect(given.count == 9)
    for name in given.keys {
      var without = given
      without.removeValue(forKey: name)
      var other = given
      other[name] = 7
      for changed in [without, other] {
        do {
          _ = try QuoteCollateral(parsing: .object(changed))
          Issue.record("read without \(name)")
        } catch TrustError.refused(let refusal) {
          #expect(refusal.stage == .collateral && refusal.text.contains(name))
        }
      }
    }
    var chain = given
    chain["pck_certificate_chain"] = nil as JSONValue?
    #expect(try QuoteCollateral(parsing: .object(chain)).pckCertificateChain == nil)
    chain["pck_certificate_chain"] = .null
    #expect(try QuoteCollateral(parsing: .object(chain)).pckCertificateChain == nil)
    chain["pck_certificate_chain"] = 7
    #expect(throws: TrustError.self) { try QuoteCollateral(parsing: .object(chain)) }
    for value: JSONValue in [.null, [], "x", 1] {
      #expect(throws: TrustError.self) { try QuoteCollateral(parsing: value) }
    }
    for bytes: JSONValue in [[256], [-1], [1.5], ["a"], "abc", "zz"] {
      var changed = given
      changed["pck_crl"] = bytes
      #expect(throws: TrustError.self) { try QuoteCollateral(parsing: .object(changed)) }
    }
  }
}
