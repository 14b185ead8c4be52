import Foundation
import MeroTrust
import MeroWire

extension AttestationFinding {
  /// The report for people.
  var lines: [String] {
    var lines = ["\(source), under the policy \(policy)", ""]
    lines += steps.map { step in
      let mark =
        switch step.outcome {
        case .passed: "ok"
        case .failed: "!!"
        case .notReached, .notChecked: "--"
        }
      let remark =
        switch step.outcome {
        case .passed: ""
        case .notReached: " (not reached)"
        case .failed, .notChecked: "\n      \(step.text ?? "")"
        }
      return "  \(mark)  \(step.words)\(remark)"
    }
    if !steps.isEmpty { lines.append("") }
    lines += facts.map { name, value in
      "  \(name.padding(toLength: 15, withPad: " ", startingAt: 0)) \(value)"
    }
    lines += ["", conclusion]
    return lines
  }

  private var conclusion: String {
    let proof = "It is a mock quote: it proves nothing about hardware, and anybody can make one."
    switch verdict {
    case .trusted:
      if isMock { return "TRUSTED by this policy. \(proof)" }
      let left = steps.filter { $0.outcome == .notChecked }.map(\.words)
      return left.isEmpty
        ? "TRUSTED" : "TRUSTED, but nobody checked that \(left.joined(separator: ", nor that "))"
    case .refused:
      let way =
        reason == TrustRefusal.Reason.mockRefused.rawValue && policy == "production"
        ? " For a cluster of your own on this machine there is --development." : ""
      return "REFUSED\(reason.map { " (\($0))" } ?? ""): \(text ?? "")" + (isMock ? "\n\(proof)\(way)" : "")
    case .unavailable: return "NOT TRUSTED, as it could not be checked now: \(text ?? "")"
    }
  }

  private var facts: [(String, String)] {
    var facts: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value { facts.append((name, value)) }
    }
    let isSigned = status != nil
    add("release", release ?? claimedRelease.map { "\($0) (the node's word)" })
    add("profile", profile)
    add("status", status?.rawValue)
    if isSigned { add("advisories", advisories.isEmpty ? "none" : advisories.joined(separator: " ")) }
    if let platform {
      add("hardware", "FMSPC \(Hex.encode(platform.fmspc))")
      add("patch level of", Self.text(platform.tcbDate))
      add("collateral", "\(Self.text(platform.collateralFrom)) to \(Self.text(platform.collateralUntil))")
    }
    if let measurements {
      let remark = isSigned ? "" : " (not proven)"
      add("MRTD", Hex.encode(measurements.mrtd) + remark)
      for (index, register) in measurements.rtmr.enumerated() {
        add("RTMR\(index)", Hex.encode(register) + remark)
      }
    }
    add("report data", reportData.map { Hex.encode($0) })
    add("cluster", clusterId.map { Hex.encode($0) })
    add("transport key", keyFingerprint.map { "SHA-256 \($0)" })
    add("checked for", Self.text(time))
    return facts
  }

  static func text(_ time: Date) -> String { ISO8601DateFormatter().string(from: time) }

  /// The report for machines: one object, in which every key is always there and null means not known.
  var json: JSONValue {
    func hex(_ bytes: [UInt8]?) -> JSONValue { bytes.map { .string(Hex.encode($0)) } ?? .null }
    func word(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    func date(_ time: Date) -> JSONValue { .string(Self.text(time)) }
    return [
      "source": .string(source), "policy": .string(policy), "trusted": .bool(verdict == .trusted),
      "verdict": .string(verdict.rawValue), "reason": word(reason), "text": word(text),
      "isMock": .bool(isMock),
      "steps": .array(
        steps.map { step in
          [
            "stage": .string(step.stage.rawValue), "outcome": .string(step.outcome.rawValue),
            "words": .string(step.words), "text": word(step.text),
          ]
        }),
      "status": word(status?.rawValue), "advisories": .array(advisories.map { .string($0) }),
      "measurements": measurements.map { measurements in
        var object: JSONObject = ["mrtd": hex(measurements.mrtd)]
        for (index, register) in measurements.rtmr.enumerated() { object["rtmr\(index)"] = hex(register) }
        return .object(object)
      } ?? .null,
      "release": word(release), "profile": word(profile), "claimedRelease": word(claimedRelease),
      "platform": platform.map { platform in
        [
          "fmspc": hex(platform.fmspc), "status": .string(platform.status.rawValue),
          "tcbDate": date(platform.tcbDate), "moduleStatus": word(platform.moduleStatus?.rawValue),
          "quotingEnclaveStatus": .string(platform.quotingEnclaveStatus.rawValue),
        ]
      } ?? .null,
      "collateral": platform.map { platform in
        ["from": date(platform.collateralFrom), "until": date(platform.collateralUntil)]
      } ?? .null,
      "reportData": hex(reportData), "clusterId": hex(clusterId),
      "transportKeyFingerprint": word(keyFingerprint), "verifiedAt": date(time),
    ]
  }
}
