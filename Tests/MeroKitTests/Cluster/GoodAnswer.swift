import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire

/// What a cluster would answer: a success of an operation as its document describes it, or what a test wrote down.
struct GoodAnswer: Sendable {
  private let status: Int
  private let type: String
  private let body: Data

  init(_ status: Int, _ body: JSONValue) {
    self.status = status
    type = "application/json"
    self.body = body.data()
  }

  init(of operation: String) throws {
    let root = try JSONValue(parsing: OpenAPIDocument.json)
    let samples = SampleValue(document: root)
    var found: JSONValue = .null
    for (_, methods) in root["paths"]?.objectValue ?? [:] {
      for (_, candidate) in methods.objectValue ?? [:]
      where candidate["operationId"]?.stringValue == operation { found = candidate }
    }
    let answers = found["responses"]?.objectValue ?? [:]
    let success = answers.first { $0.key.hasPrefix("2") }
    status = success.flatMap { Int($0.key) } ?? 200
    let content = success?.value["content"]?.objectValue
    if let json = content?["application/json"] {
      type = "application/json"
      body = (json["example"] ?? samples.of(json["schema"] ?? .null)).data()
    } else {
      type = "application/octet-stream"
      body = content == nil ? Data() : Data("bytes".utf8)
    }
  }

  /// The answer with its body changed, or its status, or the fields that speak of it.
  func mutated(seed: UInt64) -> HTTPResponse {
    let random = SeededRandom(seed: seed)
    var answer = HTTPResponse(status: status, headers: ["content-type": type], body: .empty)
    var body = HostileBody.variant(of: body, seed: seed)
    switch seed % 6 {
    case 4:
      let statuses = [
        201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 409, 410, 412, 418, 422, 428, 429, 500, 503,
      ]
      answer.status = statuses[random.below(statuses.count)]
      let codes = ["TOKEN_EXPIRED", "CONFIRM_REQUIRED", "OPERATOR_SIGNATURE_REQUIRED", "NOT_LEADER", "", "é"]
      if random.below(2) == 0 {
        let error: JSONValue = [
          "error": [
            "code": .string(codes[random.below(codes.count)]), "message": "m", "requestId": "r",
            "details": ["confirmId": "a\r\nb", "node": "http://evil.example", "expiresAt": -1],
          ]
        ]
        body = error.data()
      }
    case 5:
      answer.headers["content-type"] = ["", "text/html", "application/json; charset=utf-16"][random.below(3)]
      answer.headers["retry-after"] = ["-1", "1e9", "x", "99999999999999999999"][random.below(4)]
      answer.headers["content-length"] = ["-1", "a"][random.below(2)]
    default: break
    }
    answer.body = HTTPBody(body)
    return answer
  }
}
