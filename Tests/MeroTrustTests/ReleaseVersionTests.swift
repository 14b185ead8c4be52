import MeroTrust
import Testing

@Suite("versions of releases")
struct ReleaseVersionTests {
  @Test(
    "50 §5.5: a version is three numbers, with a pre-release and build metadata or without",
    arguments: [
      "2.3.87", "0.0.0", "2.3.87-rc.1", "2.3.87+b1", "2.3.87-a-b.0+x.y", "99999999999999999999.0.1",
    ])
  func versions(text: String) {
    #expect(ReleaseVersion(text)?.text == text)
  }

  @Test(
    "50 §5.5: anything else is none, and so never stands in a URL",
    arguments: [
      "", "v2.3.87", "2.3", "2.3.87.1", "latest", "2.3.87-", "2.3.87-a..b", "2.3.87+", "2.3.x", "-1.2.3",
      "2.3.87/..", "../2.3.87", "2.3.87?x", "2.3.87 ", "2.3.87\n", "２.3.87", "2..87", "2.3.87-é",
      String(repeating: "1", count: 200) + ".0.0",
    ])
  func others(text: String) {
    #expect(ReleaseVersion(text) == nil)
  }

  @Test("50 §5.5: versions are ordered as SemVer orders them")
  func order() throws {
    let ordered = [
      "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
      "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "2.3.9", "2.3.100", "2.3.99999999999999999999", "10.0.0",
    ]
    let versions = try ordered.map { try #require(ReleaseVersion($0)) }
    for (one, left) in versions.enumerated() {
      for (other, right) in versions.enumerated() {
        #expect((left < right) == (one < other), "\(left) and \(right)")
      }
    }
  }

  @Test("50 §5.5: build metadata and leading zeros make no difference to the order, and still two versions")
  func sameOrder() throws {
    for (one, other) in [("2.3.86+b1", "2.3.86"), ("2.03.086", "2.3.86"), ("1.0.0-01", "1.0.0-1")] {
      let (left, right) = (try #require(ReleaseVersion(one)), try #require(ReleaseVersion(other)))
      #expect(!(left < right) && !(right < left))
      #expect(left != right)
    }
  }
}
