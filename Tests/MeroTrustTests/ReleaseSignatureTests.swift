import Foundation
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("signatures of releases")
struct ReleaseSignatureTests {
  private static let pki = TestPKI(seed: 11, now: Date(timeIntervalSince1970: 1_790_000_000))
  private static let release = pki.release(TestPKI.release)
  private static let other = pki.release(TestPKI.nextRelease)

  /// Real releases, which are not part of the package; they are read in place when they are there.
  private static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../shared/data/tee").standardized
  private static let isThere = FileManager.default.fileExists(
    atPath: data.appendingPathComponent("releases/cases.json").path)

  private func refusal(
    _ file: String, _ bundle: String, detached: String? = nil, root: SigstoreRoot = pki.roots.releases
  ) throws -> String? {
    do {
      try ReleaseSignature(root: root).verify(
        Array(file.utf8), bundle: try CosignBundle(parsing: bundle), detached: detached)
      return nil
    } catch TrustError.refused(let refusal) {
      #expect(refusal.reason == .releaseInvalid && refusal.stage == .release)
      return refusal.text
    }
  }

  @Test("a release that its workflow signed is accepted, with its detached signature and without")
  func accepted() throws {
    let release = Self.release
    #expect(try refusal(release.publishedMrtds, release.bundle) == nil)
    let signature = try JSONValue(parsing: release.bundle)["base64Signature"]?.stringValue ?? ""
    #expect(try refusal(release.publishedMrtds, release.bundle, detached: " \(signature)\n") == nil)
    #expect(try refusal(release.publishedMrtds, release.bundle, detached: "x\(signature)") != nil)
  }

  @Test(
    "50 §5.3: a release that is unsigned or signed by anybody else is refused",
    arguments: [
      TestPKI.Signing.absent, .garbage, .anotherWorkflow, .issuer("https://accounts.example"), .anotherRoot,
      .tooLate,
      .identity(
        "https://github.com/calimero-network/mero-tee/.github/workflows/release-node-image-gcp.yaml@refs/heads/main"
      ),
    ])
  func otherSigners(signing: TestPKI.Signing) throws {
    let release = Self.pki.release(TestPKI.release, signing: signing)
    #expect(try refusal(release.publishedMrtds, release.bundle) != nil)
  }

  @Test("50 §5.3: parts of the bundle of another release do not make a bundle")
  func mixedBundles() throws {
    let (own, other) = (
      try JSONValue(parsing: Self.release.bundle), try JSONValue(parsing: Self.other.bundle)
    )
    for member in ["base64Signature", "rekorBundle"] {
      var mixed = try #require(own.objectValue)
      mixed[member] = other[member]
      #expect(try refusal(Self.release.publishedMrtds, JSONValue.object(mixed).text) != nil, "\(member)")
    }
    #expect(try refusal(Self.release.publishedMrtds, Self.other.bundle)?.contains("another file") == true)
  }

  @Test("a change of any member of the bundle is noticed")
  func everyMember() throws {
    let bundle = try JSONValue(parsing: Self.release.bundle)
    for path in [
      ["base64Signature"], ["cert"], ["rekorBundle", "SignedEntryTimestamp"],
      ["rekorBundle", "Payload", "body"], ["rekorBundle", "Payload", "integratedTime"],
      ["rekorBundle", "Payload", "logIndex"], ["rekorBundle", "Payload", "logID"],
    ] {
      for change in Change.allCases {
        let changed = try #require(change.applied(to: bundle, at: path[...]))
        #expect(try refusal(Self.release.publishedMrtds, changed.text) != nil, "\(path) \(change)")
      }
    }
  }

  private enum Change: CaseIterable {
    case missing, null, oneMore, empty

    func applied(to value: JSONValue, at path: ArraySlice<String>) -> JSONValue? {
      guard let name = path.first else { return nil }
      guard var object = value.objectValue, let member = object[name] else { return nil }
      if path.count > 1 {
        object[name] = applied(to: member, at: path.dropFirst())
        return .object(object)
      }
      switch self {
      case .missing: object[name] = nil
      case .null: object[name] = .null
      case .empty: object[name] = ""
      case .oneMore:
        object[name] = member.int64.map { JSONValue($0 + 1) } ?? .string(flipped(member.stringValue ?? ""))
      }
      return .object(object)
    }

    /// Another character in the middle.
    private func flipped(_ text: String) -> String {
      var characters = Array(text)
      let middle = characters.count / 2
      characters[middle] = characters[middle] == "a" ? "b" : "a"
      return String(characters)
    }
  }

  @Test("a change of any byte of the document is noticed")
  func everyByte() throws {
    let bundle = try CosignBundle(parsing: Self.release.bundle)
    let signature = ReleaseSignature(root: Self.pki.roots.releases)
    let file = Array(Self.release.publishedMrtds.utf8)
    for place in stride(from: 0, to: file.count, by: 97) {
      var changed = file
      changed[place] ^= 1
      #expect(throws: TrustError.self, "byte \(place)") { try signature.verify(changed, bundle: bundle) }
    }
    #expect(throws: TrustError.self) { try signature.verify(file + [0x0A], bundle: bundle) }
  }

  @Test("the newer form of a Sigstore bundle, and texts that are no bundle, are refused in words")
  func otherForms() throws {
    for text in [
      "", "{}", "[]", "null", #"{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}"#,
      String(repeating: "[", count: 100_000), String(repeating: " ", count: 2 << 20),
    ] { #expect(try refusal(Self.release.publishedMrtds, text)?.isEmpty == false) }
  }

  @Test("a root of which nothing can be used is refused")
  func badRoots() throws {
    let good = try #require(try JSONValue(parsing: Self.pki.sigstoreRoot).objectValue)
    #expect(try SigstoreRoot(trustedRoot: JSONValue.object(good).data()) == Self.pki.roots.releases)
    for name in ["tlogs", "certificateAuthorities"] {
      for value in [nil, [], "x", [[:]]] as [JSONValue?] {
        var bad = good
        bad[name] = value
        #expect(throws: TrustError.self) { try SigstoreRoot(trustedRoot: JSONValue.object(bad).data()) }
      }
    }
    #expect(throws: TrustError.self) { try SigstoreRoot(trustedRoot: Data("no".utf8)) }
    // The id of a log is the hash of its key: with another one its entries could be taken for another log's.
    let text = Self.pki.sigstoreRoot
    let id = try #require(good["tlogs"]?[0]?["logId"]?["keyId"]?.stringValue)
    let wrong = text.replacingOccurrences(of: id, with: Data(repeating: 7, count: 32).base64EncodedString())
    #expect(throws: TrustError.self) { try SigstoreRoot(trustedRoot: Data(wrong.utf8)) }
  }

  @Test(
    "50 §5.3: what is built in is what Sigstore publishes",
    .enabled(if: isThere, "skipped: there is no ../shared/data/tee beside the package"))
  func builtInRoot() throws {
    let published = try Data(contentsOf: Self.data.appendingPathComponent("sigstore-trusted-root.json"))
    #expect(try SigstoreRoot(trustedRoot: published) == .publicGood)
  }

  @Test(
    "50 §8: the mirror's answer for a real release parses and verifies, whatever the year",
    .enabled(if: isThere, "skipped: there is no ../shared/data/tee beside the package"))
  func realMirrorAnswer() async throws {
    let answer = try Data(
      contentsOf: Self.data.appendingPathComponent("releases/mirror-response-2.3.87.json"))
    let release = try SignedRelease(mirrorAnswer: answer)
    #expect(release.version == "2.3.87")
    // Nothing about releases takes a clock; this is all there is to set.
    let trusted = try trustedMeasurementsFromReleases([release], minimumVersion: "2.3.87")
    #expect(trusted.images.map(\.release) == ["2.3.87"])
    #expect(trusted.images[0].profile == "locked-read-only")
    #expect(trusted.acceptedStatuses == [.upToDate, .outOfDate])
    #expect(throws: TrustError.self) {
      try trustedMeasurementsFromReleases([release], minimumVersion: "2.3.109")
    }
    #expect(try refusal(release.publishedMrtds, release.bundle) != nil, "a test's root believes it")
  }
}
