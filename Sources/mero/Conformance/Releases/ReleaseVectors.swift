import Foundation
import MeroTrust
import MeroWire

extension VectorSuite {
  /// Signed releases, whole and changed; what has to come of each is in `expected.json` beside the file.
  static let releases = VectorSuite(
    recognises: { $0["defaultSigner"] != nil && $0["cases"] != nil },
    run: { value, name, folder, run in
      do {
        let file = try VectorObject(value, path: name)
        file.prose("description")
        let signer = try ReleaseSigner(try file.object("defaultSigner"))
        await run.check("the signer of node releases") {
          try require(signer == .nodeImage, "the file names another signer")
        }
        let expected = try vectorFile("expected.json", in: folder)
        expected.prose("madeWith")
        let verdicts = try expected.object("cases")
        try expected.finish()
        for object in try file.objects("cases") {
          let name = try object.text("name")
          await run.check("release: \(name)") {
            let releaseCase = try ReleaseCase(object, defaultSigner: signer, folder: folder)
            try await ExpectedRelease(try verdicts.object(name)).check(releaseCase)
          }
        }
        await run.check("every verdict of expected.json has a case") { try verdicts.finish() }
        try file.finish()
      } catch {
        await run.check(name) { throw error }
      }
    })
}

/// A signed file, and what is asked of it.
private struct ReleaseCase {
  let file: [UInt8]
  let bundle: String
  let detached: String?
  let signer: ReleaseSigner
  /// What a node that presents it says, and what is required; nil when only the signature and the form are asked.
  let claim: (version: String, minimum: String, profile: String)?

  init(_ object: VectorObject, defaultSigner: ReleaseSigner, folder: URL?) throws {
    object.prose("note")
    var file = try bytes(ofFile: try object.text("file"), in: folder)
    if object.has("fileXor") {
      let change = try object.numbers("fileXor")
      guard change.count == 2, file.indices.contains(change[0]), let mask = UInt8(exactly: change[1]) else {
        throw Mismatch("fileXor is not a place and a mask")
      }
      file[change[0]] ^= mask
    }
    self.file = file
    let original = try bytes(ofFile: try object.text("bundle"), in: folder)
    if object.has("bundleSet") {
      var value = try JSONValue(parsing: Data(original))
      for (pointer, member) in try object.value("bundleSet").objectValue ?? [:] {
        value = try value.setting(pointer.split(separator: "/")[...], to: member)
      }
      bundle = value.text
    } else {
      bundle = String(decoding: original, as: UTF8.self)
    }
    detached = object.has("detachedSignature") ? try object.text("detachedSignature") : nil
    signer = object.has("signer") ? try ReleaseSigner(try object.object("signer")) : defaultSigner
    claim =
      object.has("profile")
      ? (
        try object.text("releaseVersion"), try object.text("minReleaseVersion"), try object.text("profile")
      ) : nil
    try object.finish()
  }

  /// The image, when one was asked for.
  ///
  /// - Throws: `TrustError` when it is refused.
  func verify() async throws -> TrustedImage? {
    if let claim {
      // Every case here that names a profile is of the one signer that the product knows.
      try require(signer == .nodeImage && detached == nil, "a case names a profile and another signer")
      let release = SignedRelease(
        version: claim.version, publishedMrtds: String(decoding: file, as: UTF8.self), bundle: bundle)
      return try await SignedReleases(
        OneRelease(release: release), minimumVersion: claim.minimum, profile: claim.profile
      ).images(ofRelease: claim.version)[0]
    }
    try ReleaseSignature(root: .publicGood, signer: signer).verify(
      file, bundle: try CosignBundle(parsing: bundle), detached: detached)
    _ = try PublishedMeasurements(parsing: String(decoding: file, as: UTF8.self))
    return nil
  }
}

private struct OneRelease: ReleaseSource {
  let release: SignedRelease

  func release(_ version: String) async throws -> SignedRelease { release }
}

/// What has to come of a signed file.
private struct ExpectedRelease {
  let object: VectorObject
  let isAccepted: Bool

  init(_ object: VectorObject) throws(Mismatch) {
    self.object = object
    // Why another verifier refused, in its words, is for people.
    object.prose("reason", "basis", "peer")
    let verdict = try object.text("verdict")
    try require(verdict == "accept" || verdict == "refuse", "the verdict \(verdict) is unknown")
    isAccepted = verdict == "accept"
  }

  func check(_ releaseCase: ReleaseCase) async throws {
    let image: TrustedImage?
    do {
      image = try await releaseCase.verify()
    } catch TrustError.refused(let refusal) {
      try require(!isAccepted, "refused (\(refusal.text)), the file says accept")
      return try object.finish()
    }
    try require(isAccepted, "accepted, the file says refuse")
    try require(
      (image != nil) == object.has("image"), "an image is expected exactly where a profile is asked")
    if let image { try check(image) }
    try object.finish()
  }

  private func check(_ image: TrustedImage) throws(Mismatch) {
    let registers = try object.object("image")
    for (name, value) in zip(
      ["mrtd", "rtmr0", "rtmr1", "rtmr2", "rtmr3"], [image.measurements.mrtd] + image.measurements.rtmr)
    { try require(name, value, is: try registers.bytes(name)) }
    try registers.finish()
    try require(
      "the accepted states", image.acceptedStatuses.map(\.rawValue),
      is: try object.texts("allowedTcbStatuses"))
  }
}

extension ReleaseSigner {
  fileprivate init(_ object: VectorObject) throws(Mismatch) {
    self.init(identity: try object.text("identity"), issuer: try object.text("issuer"))
    try object.finish()
  }
}

extension JSONValue {
  /// This value with another member at a JSON pointer's path, whose parents have to be there.
  fileprivate func setting(_ path: ArraySlice<Substring>, to value: JSONValue) throws(Mismatch) -> JSONValue {
    guard let first = path.first else { return value }
    guard var object = objectValue, let member = object[String(first)] else {
      throw Mismatch("a bundle has no \(first)")
    }
    object[String(first)] = try member.setting(path.dropFirst(), to: value)
    return .object(object)
  }
}
