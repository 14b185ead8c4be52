import Foundation
import Testing

@testable import MeroHTTP

@Suite("Progress of what is sent", .timeLimit(.minutes(5)))
struct UploadProgressTests {
  private final class Steps: Sendable {
    let all = Locked<[Int64]>([])
    let totals = Locked<Set<Int64>>([])
    func take(_ sent: Int64, _ total: Int64) {
      all.withLock { $0.append(sent) }
      totals.withLock { _ = $0.insert(total) }
    }
  }

  @Test(
    "bytes and large files are reported as they are sent, up to the last byte", arguments: [false, true],
    Way.allCases)
  func reports(isFile: Bool, way: Way) async throws {
    let server = try RawServer(answering: okay)
    let bytes = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) })
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let steps = Steps()
    var request = HTTPRequest(.put, server.url(), body: isFile ? .file(file) : .data(bytes), idleTimeout: 30)
    request.onSent = { steps.take($0, $1) }
    let response = try await way.transport().send(request)
    #expect(response.status == 200)
    let received = try #require(server.log.requests.first)
    #expect(Data(received.body) == bytes)
    #expect(received.headers["content-length"] == "\(bytes.count)")
    #expect(received.headers["transfer-encoding"] == nil)
    let all = steps.all.withLock { $0 }
    #expect(all == all.sorted())
    #expect(all.last == Int64(bytes.count))
    #expect(steps.totals.withLock { $0 } == [Int64(bytes.count)])
  }
}
