import Foundation
import MeroHTTP
import MeroWire

/// Tells a journey step by step: one line each with what was verified and how long it took, or one JSON object each.
struct Narrator {
  /// What a step found out: a sentence for people, fields for machines.
  struct Finding {
    var text: String
    var fields: JSONObject = [:]
  }

  let asJSON: Bool
  private let clock = MeroClock.system

  /// Runs a step and tells it; a failure is told and thrown on.
  @discardableResult
  func step<Value>(
    _ name: String, _ work: () async throws -> (Value, Finding)
  ) async throws -> Value {
    let began = clock.uptime()
    do {
      let (value, finding) = try await work()
      tell(name, ok: true, milliseconds: (clock.uptime() - began) * 1000, finding)
      return value
    } catch {
      tell(name, ok: false, milliseconds: (clock.uptime() - began) * 1000, Finding(text: "\(error)"))
      throw DemoFailure(step: name)
    }
  }

  /// The last line.
  func finish(_ name: String, ok: Bool) {
    if asJSON {
      Console.line(JSONValue.object(["step": .string(name), "ok": .bool(ok)]).text)
    } else {
      Console.line("\(name): \(ok ? "ok" : "failed")")
    }
  }

  private func tell(_ name: String, ok: Bool, milliseconds: Double, _ finding: Finding) {
    let time = String(format: "%.1f", milliseconds)
    guard asJSON else {
      let mark = ok ? "ok" : "!!"
      Console.line(
        "\(mark)  \(pad(name, 13)) \(String(repeating: " ", count: max(0, 7 - time.count)))\(time) ms  \(finding.text)"
      )
      return
    }
    var object: JSONObject = ["step": .string(name), "ok": .bool(ok), "text": .string(finding.text)]
    if let number = try? JSONNumber((milliseconds * 1000).rounded() / 1000) { object["ms"] = .number(number) }
    for (key, value) in finding.fields { object[key] = value }
    Console.line(JSONValue.object(object).text)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// A step of the demo did not hold; it has been told already.
struct DemoFailure: Error {
  let step: String
}
