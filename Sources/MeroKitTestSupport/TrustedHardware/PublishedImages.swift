import Foundation
import MeroCrypto
import MeroTrust
import MeroWire

/// The images of a made-up release, and the document that is published about them (50 §5.2).
struct PublishedImages: Sendable {
  private static let profiles = ["debug", "debug-read-only", "locked-read-only"]

  let seed: UInt64
  let version: String

  /// The first two registers measure what the platform brings, so all images share them.
  func image(_ profile: String) -> Measurements {
    precondition(Self.profiles.contains(profile), "\(profile) is no profile")
    func register(_ name: String) -> [UInt8] { SHA384.hash(Array("\(seed) \(name)".utf8)) }
    return Measurements(
      mrtd: register("mrtd"),
      rtmr: [register("rtmr0")] + (1...3).map { register("\(version) \(profile) rtmr\($0)") })
  }

  /// The text of `published-mrtds.json`.
  func document(statuses: [TCBStatus], at time: Date) -> String {
    let profiles = Self.profiles.map { ($0, describe(image($0), statuses)) }
    let document: JSONValue = [
      "role": "node", "tag": .string(version),
      "generated_at": .string(ISO8601DateFormatter().string(from: time)),
      "measurement_markers": ["role": "calimero.role=node", "profile_key": "calimero.profile"],
      "profiles": .object(JSONObject(profiles)),
    ]
    return document.text
  }

  private func describe(_ image: Measurements, _ statuses: [TCBStatus]) -> JSONValue {
    var described: JSONObject = [:]
    let registers = [("mrtd", image.mrtd)] + image.rtmr.enumerated().map { ("rtmr\($0.offset)", $0.element) }
    for (name, value) in registers {
      described[name] = .string(Hex.encode(value))
      described["allowed_\(name)"] = [.string(Hex.encode(value))]
    }
    described["allowed_tcb_statuses"] = .array(statuses.map { .string($0.rawValue.lowercased()) })
    return .object(described)
  }
}
