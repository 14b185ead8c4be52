import Foundation
import MeroHTTP
import MeroWire

extension HTTPResponse {
  /// Whether the node took the envelope: anything else is a refusal, whatever its status.
  var isSealed: Bool {
    status == 200 && headers["content-type"] == SealedProtocol.contentType
  }

  /// The body's first bytes; the rest is not read. A body that breaks off gives what came before.
  func prefix(upTo limit: Int) async throws -> Data {
    var read = Data()
    do {
      for try await chunk in body {
        read.append(chunk.prefix(limit - read.count))
        if read.count == limit { break }
      }
    } catch {
      try Task.checkCancellation()
    }
    return read
  }
}

extension SealedRefusal {
  /// Reads a refusal, of which at most 64 KiB are looked at.
  init(_ response: HTTPResponse, at stage: Stage) async throws {
    let body = try await response.prefix(upTo: SealedProtocol.refusalBodyLimit)
    let error = (try? JSONValue(parsing: body))?["error"]
    let code = error?["code"]?.stringValue.map { SealedErrorCode(rawValue: $0) }
    let message = error?["message"]?.stringValue.map { String($0.prefix(1000)) }
    self.init(
      stage: stage, status: response.status, code: code,
      message: message ?? "HTTP \(response.status) without a sealed answer",
      retryAfter: response.headers["retry-after"].flatMap(Self.seconds))
  }

  private static func seconds(_ text: String) -> TimeInterval? {
    guard (1...9).contains(text.utf8.count), let seconds = UInt32(text) else { return nil }
    return TimeInterval(seconds)
  }

  /// How long to wait before trying again: as asked, but at most 5 s; 1 s when nothing usable was said.
  var wait: TimeInterval {
    min(retryAfter ?? 1, 5)
  }
}
