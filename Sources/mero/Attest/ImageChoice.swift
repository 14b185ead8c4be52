import Foundation
import MeroKit
import MeroTrust
import MeroWire

/// Which images `mero attest` accepts.
enum ImageChoice: Sendable {
  case releases(any ReleaseTrust)
  case images([Measurements])
  /// Whatever the quote shows.
  case any

  static let options: Set<String> = [
    "--releases", "--measurements", "--profile", "--min-release", "--tcb", "--sigstore-root",
  ]

  var name: String {
    switch self {
    case .releases: "releases"
    case .images: "measurements"
    case .any: "any-image"
    }
  }

  /// The images of files; nil when none are named.
  init?(_ arguments: Arguments) throws {
    let files = arguments.all("--releases")
    switch (files.isEmpty, arguments.value("--measurements")) {
    case (true, nil): return nil
    case (true, let path?): self = .images(try Self.measurements(path))
    case (false, nil):
      self = .releases(
        ChosenReleases(
          documents: try files.map(Self.release), profile: Self.profile(arguments),
          oldest: try Self.oldestRelease(arguments), root: try Self.sigstoreRoot(arguments)))
    case (false, _?): throw UsageError("--releases and --measurements exclude one another")
    }
    if arguments.has("--any-image") { throw UsageError("--any-image leaves no image to be named") }
  }

  static func profile(_ arguments: Arguments) -> String { arguments.value("--profile") ?? "locked-read-only" }

  static func oldestRelease(_ arguments: Arguments) throws -> ReleaseVersion? {
    guard let text = arguments.value("--min-release") else { return nil }
    guard let version = ReleaseVersion(text) else {
      throw UsageError(
        "--min-release takes a version such as \(ReleaseVersion.oldestAccepted), not “\(text)”")
    }
    return version
  }

  static func sigstoreRoot(_ arguments: Arguments) throws -> SigstoreRoot {
    guard let path = arguments.value("--sigstore-root") else { return .publicGood }
    return try SigstoreRoot(trustedRoot: try FileContent.read(path))
  }

  static func statuses(_ arguments: Arguments) throws -> [TCBStatus]? {
    let words = arguments.all("--tcb")
    guard !words.isEmpty else { return nil }
    return try words.map { word in
      let status = TCBStatus(rawValue: word)
      guard known.contains(status) else {
        throw UsageError(
          "--tcb takes one of \(known.map(\.rawValue).joined(separator: ", ")), not “\(word)”")
      }
      return status
    }
  }

  /// `Revoked` is never accepted, so it is no choice.
  private static let known: [TCBStatus] = [
    .upToDate, .swHardeningNeeded, .configurationNeeded, .configurationAndSWHardeningNeeded, .outOfDate,
    .outOfDateConfigurationNeeded, .tdRelaunchAdvised, .tdRelaunchAdvisedConfigurationNeeded,
  ]

  /// What a mirror answers, or a release's file with its bundle beside it.
  private static func release(_ path: String) throws -> SignedRelease {
    let content = try FileContent.read(path)
    let value = try FileContent.json(path)
    guard let version = value["tag"]?.stringValue else { return try SignedRelease(mirrorAnswer: content) }
    let bundle = try FileContent.read(path + ".bundle.json")
    // The signature is over the bytes of the file; JSON that was read is UTF-8.
    return SignedRelease(
      version: version, publishedMrtds: String(decoding: content, as: UTF8.self),
      bundle: String(decoding: bundle, as: UTF8.self))
  }

  private static func measurements(_ path: String) throws -> [Measurements] {
    let value = try FileContent.json(path)
    let images = value.arrayValue ?? [value]
    return try images.map { image in
      let registers = ["mrtd", "rtmr0", "rtmr1", "rtmr2", "rtmr3"].map { image[$0]?.stringValue ?? "" }
      do {
        return try Measurements(
          mrtd: registers[0], rtmr0: registers[1], rtmr1: registers[2], rtmr2: registers[3],
          rtmr3: registers[4])
      } catch let error as TrustError {
        throw FileProblem(path, "does not hold mrtd and rtmr0 to rtmr3: \(error.text)")
      }
    }
  }
}
