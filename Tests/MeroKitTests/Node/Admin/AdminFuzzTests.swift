import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
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

  /// The answer with its body changed, or its status, or its fields.
  func mutated(seed: UInt64) -> Sample {
    let random = SeededRandom(seed: seed)
    var sample = self
    switch seed % 5 {
    case 3:
      let statuses = [0, 100, 201, 204, 301, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504, 999]
        .filter { $0 != status }
      sample.status = statuses[random.below(statuses.count)]
      sample.headers["x-auth-error"] =
        ["token_expired", "token_revoked", "permission_denied", ""][random.below(4)]
    case 4:
      sample.body = Data(random.bytes(64))
      sample.headers["content-length"] = ["-1", "1e3", "18446744073709551616", "a"][random.below(4)]
      sample.headers["x-blob-source"] = ""
    default: sample.body = HostileBody.variant(of: body, seed: seed)
    }
    return sample
  }

  /// Whether two answers say the same, however their JSON is written.
  func isSame(as other: Sample) -> Bool {
    status == other.status && headers == other.headers && HostileBody.isSame(body, other.body)
  }
}
