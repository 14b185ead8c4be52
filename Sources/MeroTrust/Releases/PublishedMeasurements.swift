import Foundation
import MeroWire

/// The `published-mrtds.json` of a node release whose signature was checked: one image for each profile (50 §5.2).
package struct PublishedMeasurements: Sendable, Hashable {
  /// The version that the release says it is, as it was written.
  package let tag: String
  package let profiles: [String: Profile]

  package struct Profile: Sendable, Hashable {
    package let measurements: Measurements
    fileprivate let statuses: [String]?
  }

  /// Every file that the same workflow signs would pass the signature; so the form decides what this one is.
  ///
  /// - Throws: `TrustError.refused`.
  package init(parsing text: String) throws(TrustError) {
    guard let object = try? JSONValue(parsing: text), object.objectValue != nil else {
      throw .refused(.release, "the release's document is not a JSON object")
    }
    guard object["role"]?.stringValue == "node" else {
      throw .refused(.release, "it is a release of something else, not of a node")
    }
    guard let tag = object["tag"]?.stringValue, let listed = object["profiles"]?.objectValue, !listed.isEmpty
    else { throw Self.notARelease }
    var profiles: [String: Profile] = [:]
    for (name, value) in listed { profiles[name] = try Profile(reading: value) }
    self.tag = tag
    self.profiles = profiles
  }

  /// The image of a profile.
  ///
  /// - Throws: `TrustError.refused` for a profile that is not there, and for a status that nobody knows.
  package func image(ofProfile name: String) throws(TrustError) -> TrustedImage {
    guard let profile = profiles[name] else {
      let names = profiles.keys.sorted().prefix(8).joined(separator: ", ")
      throw .refused(.release, "the release \(tag) has no profile \(name); it has \(names)")
    }
    return TrustedImage(
      release: tag, profile: name, measurements: profile.measurements,
      acceptedStatuses: try Self.statuses(profile.statuses))
  }

  private static let known: [String: TCBStatus] = {
    let statuses: [TCBStatus] = [
      .upToDate, .swHardeningNeeded, .configurationNeeded, .configurationAndSWHardeningNeeded, .outOfDate,
      .outOfDateConfigurationNeeded,
    ]
    return Dictionary(uniqueKeysWithValues: statuses.map { ($0.rawValue.lowercased(), $0) })
  }()

  private static func statuses(_ words: [String]?) throws(TrustError) -> [TCBStatus] {
    guard let words else { return [.upToDate] }
    var statuses: [TCBStatus] = []
    for word in words {
      guard let status = known[word.lowercased()] else {
        throw .refused(.release, "the release accepts platforms in a state that is not known")
      }
      if !statuses.contains(status) { statuses.append(status) }
    }
    return statuses
  }

  fileprivate static let notARelease = TrustError.refused(
    .release, "the signed document is not a release's published-mrtds.json")
}

extension PublishedMeasurements.Profile {
  fileprivate init(reading value: JSONValue) throws(TrustError) {
    var registers: [[UInt8]] = []
    for name in ["mrtd", "rtmr0", "rtmr1", "rtmr2", "rtmr3"] {
      guard let text = value[name]?.stringValue, text.utf8.count == 96,
        let register = try? Hex.decode(text, count: 48)
      else { throw PublishedMeasurements.notARelease }
      registers.append(register)
    }
    measurements = Measurements(mrtd: registers[0], rtmr: Array(registers[1...]))
    guard let listed = value["allowed_tcb_statuses"], !listed.isNull else {
      statuses = nil
      return
    }
    let words = listed.arrayValue?.map(\.stringValue)
    guard let words, words.count <= 32, !words.contains(nil) else { throw PublishedMeasurements.notARelease }
    statuses = words.compactMap { $0 }
  }
}
