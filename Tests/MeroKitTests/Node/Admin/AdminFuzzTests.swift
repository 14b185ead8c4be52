import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("What a broken or hostile node answers")
struct AdminFuzzTests {
  @Test(
    "every call ends with a value or a typed error, whatever the answer is", .timeLimit(.minutes(5)),
    arguments: AdminCase.all)
  func mutatedAnswers(_ test: AdminCase) async throws {
    let row = try #require(EndpointTable.rows().first { $0.key == test.row })
    var refused = 0
    for seed in 0..<100 as Range<UInt64> {
      let good = try await Sample(test.response(to: row))
      let answer = good.mutated(seed: seed)
      #expect(!answer.isSame(as: good))
      // A new body for each try: one can be read only once.
      let api = try AdminApi(RecordingTransport { _ in answer.response })
      do {
        _ = try await test.call(api, .usual)
      } catch is MeroError {
        refused += 1
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    #expect(refused > 0)
  }
}

/// An answer that can be changed and sent more than once.
private struct Sample: Sendable {
  var status: Int
  var headers: HTTPHeaders
  var body: Data

  init(_ response: HTTPResponse) async throws {
    status = response.status
    headers = response.headers
    body = try await response.body.collect(upTo: 1 << 20)
  }

  var response: HTTPResponse { HTTPResponse(status: status, headers: headers, body: HTTPBody(body)) }

  /// The answer with something about it changed. Every kind of change comes up, in turn; one that finds nothing to change
  /// gives way to the next.
  func mutated(seed: UInt64) -> Sample {
    var generator = Seeded(seed: seed)
    for kind in seed..<seed + 9 {
      let sample = changed(kind % 9, &generator)
      if !sample.isSame(as: self) { return sample }
    }
    return self
  }

  /// Whether two answers say the same, however their JSON is written.
  func isSame(as other: Sample) -> Bool {
    guard status == other.status, headers == other.headers else { return false }
    if body == other.body { return true }
    guard let json = try? JSONValue(parsing: body) else { return false }
    return json == (try? JSONValue(parsing: other.body))
  }

  private func changed(_ kind: UInt64, _ generator: inout Seeded) -> Sample {
    var sample = self
    switch kind {
    case 0: sample.body = body.prefix(Int.random(in: 0...body.count, using: &generator))
    case 1:
      for _ in 0..<3 where !sample.body.isEmpty {
        sample.body[Int.random(in: 0..<sample.body.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
    case 2:
      sample.body = edited(&generator) { _, generator in
        Self.strange.randomElement(using: &generator) ?? .null
      }
    case 3: sample.body = edited(&generator) { value, generator in Self.shortened(value, &generator) }
    case 4: sample.body = edited(&generator) { _, generator in Self.number(&generator) }
    case 5:
      let depth = [400, 600, 20_000].randomElement(using: &generator) ?? 600
      let nested = String(repeating: #"{"data":["#, count: depth) + String(repeating: "]}", count: depth)
      sample.body = Data(nested.utf8)
    case 6:
      sample.status =
        [0, 100, 201, 204, 301, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504, 999].randomElement(
          using: &generator) ?? 500
      sample.headers["x-auth-error"] =
        ["token_expired", "token_revoked", "permission_denied", ""].randomElement(using: &generator)
    case 7:
      let text = ["", "null", "[]", "{}", #""\ud800""#, "\u{FEFF}{}", #"{"data":{"data":{}}}"#, "<html>"]
      sample.body = Data((text.randomElement(using: &generator) ?? "").utf8)
    default:
      sample.body = Data((0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) })
      sample.headers["content-length"] =
        ["-1", "1e3", "18446744073709551616", "a"].randomElement(using: &generator)
      sample.headers["x-blob-source"] = ""
    }
    return sample
  }

  /// The body with one value in it replaced.
  private func edited(
    _ generator: inout Seeded, _ edit: (JSONValue, inout Seeded) -> JSONValue
  ) -> Data {
    guard let json = try? JSONValue(parsing: body) else { return body }
    return Self.edited(json, &generator, edit).data()
  }

  private static func edited(
    _ value: JSONValue, _ generator: inout Seeded, _ edit: (JSONValue, inout Seeded) -> JSONValue
  ) -> JSONValue {
    // Walks down until it decides to stop, or can go no further.
    switch value {
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<4, using: &generator) > 0:
      let at = Int.random(in: 0..<elements.count, using: &generator)
      elements[at] = edited(elements[at], &generator, edit)
      return .array(elements)
    case .object(var object) where !object.isEmpty && Int.random(in: 0..<4, using: &generator) > 0:
      let name = object.keys[Int.random(in: 0..<object.count, using: &generator)]
      object[name] = edited(object[name] ?? .null, &generator, edit)
      return .object(object)
    default: return edit(value, &generator)
    }
  }

  private static let strange: [JSONValue] = [
    .null, true, 0, -1, "", "x", [], [:], [[]], ["data": nil], ["data": [:]],
    .string(String(repeating: "é", count: 9999)),
  ]

  private static func shortened(_ value: JSONValue, _ generator: inout Seeded) -> JSONValue {
    switch value {
    case .object(var object):
      guard let name = object.keys.randomElement(using: &generator) else { return .null }
      object.removeValue(forKey: name)
      return .object(object)
    case .array(let elements): return .array(Array(elements.dropLast()))
    case .string(let text): return .string(String(text.dropLast()))
    default: return .null
    }
  }

  private static func number(_ generator: inout Seeded) -> JSONValue {
    let texts = [
      "1e400", "-1", "1.5", "340282366920938463463374607431768211456", "1E+2", "-0", "18446744073709551616",
    ]
    return texts.randomElement(using: &generator).flatMap(JSONNumber.init).map(JSONValue.number) ?? .null
  }
}
