import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Transfers of blobs", .timeLimit(.minutes(5)))
struct BlobTransferTests {
  /// Answers with what it is given, one after the other, and notes what it was asked.
  private final class Script: HTTPTransport, Sendable {
    let asked = Locked<[HTTPRequest]>([])
    private let answers: Locked<[HTTPResponse]>
    private let reportsSending: Bool

    init(_ answers: [HTTPResponse], reportsSending: Bool = false) {
      self.answers = Locked(answers)
      self.reportsSending = reportsSending
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      asked.withLock { $0.append(request) }
      if reportsSending { for sent in [2, 4, 6] as [Int64] { request.onSent?(sent, 6) } }
      guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        throw TransportError(kind: .lost, text: "over", mayHaveBeenSent: true)
      }
      return answer
    }
  }

  private final class Steps: Sendable {
    private let steps = Locked<[BlobProgress]>([])
    var all: [BlobProgress] { steps.withLock { $0 } }
    var handler: BlobProgress.Handler { { step in self.steps.withLock { $0.append(step) } } }
  }

  private let folder: URL = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  private var file: URL { folder.appendingPathComponent("photo.jpg") }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  private func admin(_ script: Script, session: NumberedSession? = nil) throws -> AdminApi {
    let url = try #require(URL(string: "http://localhost:2428/node1/"))
    let http = NodeHTTP(baseURL: url, transport: script, clock: FakeClock().clock, session: session)
    return AdminApi(http: http)
  }

  private var stored: HTTPResponse {
    HTTPResponse(status: 200, body: HTTPBody(Data(#"{"data":{"blob_id":"ab","size":6}}"#.utf8)))
  }

  private func blob(
    _ pieces: [String], hash: String? = nil, length: Int? = nil, error: (any Error)? = nil
  ) -> HTTPResponse {
    let stream = AsyncThrowingStream<Data, any Error> { continuation in
      for piece in pieces { continuation.yield(Data(piece.utf8)) }
      continuation.finish(throwing: error)
    }
    var headers: HTTPHeaders = ["x-blob-id": "ab", "x-blob-source": "peer"]
    headers["content-length"] = "\(length ?? pieces.joined().utf8.count)"
    headers["x-blob-hash"] = hash
    return HTTPResponse(status: 200, headers: headers, body: HTTPBody(stream))
  }

  private func hash(_ text: String) -> String { Hex.encode(SHA256.hash(Data(text.utf8))) }

  // MARK: Up

  @Test("bytes are put as they are, with hash and context when wanted, and progress to the last byte")
  func uploadBytes() async throws {
    let script = Script([stored, stored])
    let steps = Steps()
    let blob = try await admin(script).uploadBlob(Data("sixsix".utf8), progress: steps.handler)
    #expect(blob == BlobInfo(blobId: "ab", size: 6))
    _ = try await admin(script).uploadBlob(Data("sixsix".utf8), contextId: "c d", verified: true)
    let asked = script.asked.withLock { $0 }
    #expect(asked[0].method == .put)
    #expect(asked[0].url.absoluteString == "http://localhost:2428/node1/admin-api/blobs")
    #expect(asked[0].headers["content-type"] == "application/octet-stream")
    #expect(asked[0].body == .data(Data("sixsix".utf8)))
    #expect(asked[0].timeout == nil)
    #expect(asked[0].idleTimeout == 60)
    #expect(asked[1].url.query == "hash=\(hash("sixsix"))&context_id=c%20d")
    // A transport that reports nothing: the end is told all the same.
    #expect(steps.all == [BlobProgress(completed: 6, total: 6)])
  }

  @Test("a file is handed over as a file, hashed piece by piece when wanted, and its progress told")
  func uploadFile() async throws {
    try Data("sixsix".utf8).write(to: file)
    let script = Script([stored], reportsSending: true)
    let steps = Steps()
    _ = try await admin(script).uploadBlob(file: file, verified: true, progress: steps.handler)
    let asked = try #require(script.asked.withLock { $0.first })
    #expect(asked.body == .file(file))
    #expect(asked.url.query == "hash=\(hash("sixsix"))")
    #expect(steps.all == [2, 4, 6].map { BlobProgress(completed: $0, total: 6) })
    try FileManager.default.removeItem(at: file)
    await #expect(throws: (any Error).self) { try await admin(script).uploadBlob(file: file) }
    #expect(script.asked.withLock { $0.count } == 1)
  }

  @Test("an old token is renewed once and the upload repeated; any other failure is not repeated")
  func uploadRefreshes() async throws {
    let session = NumberedSession()
    let script = Script([.status(401, "token_expired"), stored])
    _ = try await admin(script, session: session).uploadBlob(Data("sixsix".utf8))
    #expect(
      script.asked.withLock { $0.map { $0.headers["authorization"] } } == ["Bearer token0", "Bearer token1"])
    let failing = Script([
      HTTPResponse(status: 500, body: HTTPBody(Data(#"{"error":"blob hash mismatch"}"#.utf8))), stored,
    ])
    let error = await #expect(throws: MeroError.self) { try await admin(failing).uploadBlob(Data("x".utf8)) }
    #expect(error?.refusal?.message == "blob hash mismatch")
    #expect(failing.asked.withLock { $0.count } == 1)
  }

  // MARK: Down

  @Test("a blob is read into memory, piece by piece, with its progress")
  func downloadBytes() async throws {
    let script = Script([blob(["six", "six"])])
    let steps = Steps()
    let data = try await admin(script).downloadBlob("a/b", contextId: "c", progress: steps.handler)
    #expect(data == Data("sixsix".utf8))
    #expect(steps.all == [3, 6].map { BlobProgress(completed: $0, total: 6) })
    let asked = try #require(script.asked.withLock { $0.first })
    #expect(asked.url.absoluteString == "http://localhost:2428/node1/admin-api/blobs/a%2Fb?context_id=c")
    #expect(asked.timeout == 60)
    #expect(asked.idleTimeout == 60)
  }

  @Test("a blob is read into a file, in place of an older one, and nothing else is left")
  func downloadFile() async throws {
    try Data("old".utf8).write(to: file)
    let info = try await admin(Script([blob(["six", "six"], hash: hash("sixsix"))]))
      .downloadBlob("ab", to: file, verified: true)
    #expect(try Data(contentsOf: file) == Data("sixsix".utf8))
    #expect(names == ["photo.jpg"])
    #expect(info.hash == hash("sixsix"))
    #expect(info.source == .peer)
  }

  @Test("an empty blob is an empty file")
  func empty() async throws {
    let steps = Steps()
    try await admin(Script([blob([])])).downloadBlob("ab", to: file, progress: steps.handler)
    #expect(try Data(contentsOf: file) == Data())
    #expect(steps.all == [BlobProgress(completed: 0, total: 0)])
  }

  @Test("a refusal is thrown with its text before any file is touched")
  func notFound() async throws {
    try Data("old".utf8).write(to: file)
    let script = Script([
      HTTPResponse(
        status: 404, body: HTTPBody(Data(#"{"error":"Blob not found locally or in network"}"#.utf8)))
    ])
    let error = await #expect(throws: MeroError.self) {
      try await admin(script).downloadBlob("ab", to: file)
    }
    #expect(error?.httpStatus == 404)
    #expect(error?.refusal?.message == "Blob not found locally or in network")
    #expect(try Data(contentsOf: file) == Data("old".utf8))
    #expect(names == ["photo.jpg"])
  }

  @Test(
    "a download that breaks, is cut short, or has another hash leaves the older file as it was, and nothing else"
  )
  func broken() async throws {
    try Data("old".utf8).write(to: file)
    let lost = TransportError(kind: .lost, text: "reset", mayHaveBeenSent: true)
    let answers: [(HTTPResponse, MeroError)] = [
      (blob(["six"], length: 6, error: lost), .network("reset")),
      (blob(["six"], length: 6), .network("the node sent 3 bytes of a blob of 6")),
      (
        blob(["six"], hash: hash("seven")),
        .decoding("the blob's bytes do not have the hash that the node gives for them")
      ),
      (blob(["six"]), .decoding("the node gives no hash to check the blob against")),
    ]
    for (answer, error) in answers {
      await #expect(throws: error) {
        try await admin(Script([answer])).downloadBlob("ab", to: file, verified: true)
      }
      #expect(try Data(contentsOf: file) == Data("old".utf8))
      #expect(names == ["photo.jpg"])
    }
  }

  @Test("a cancelled download ends as cancelled, leaves the connection, and leaves no file")
  func cancelled() async throws {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    let left = Gate()
    continuation.onTermination = { _ in left.open() }
    continuation.yield(Data("six".utf8))
    let script = Script([HTTPResponse(status: 200, body: HTTPBody(stream))])
    let begun = Gate()
    let admin = try admin(script)
    let file = file
    let task = Task { try await admin.downloadBlob("ab", to: file) { _ in begun.open() } }
    try await begun.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    try await left.wait()
    #expect(names == [])
  }

  @Test("an old token is renewed once and the download repeated")
  func downloadRefreshes() async throws {
    let script = Script([.status(401, "token_expired"), blob(["six"])])
    let data = try await admin(script, session: NumberedSession()).downloadBlob("ab")
    #expect(data == Data("six".utf8))
    #expect(
      script.asked.withLock { $0.map { $0.headers["authorization"] } } == ["Bearer token0", "Bearer token1"])
  }

  @Test("a file that cannot be written is told as the file system tells it")
  func unwritable() async throws {
    let nowhere = folder.appendingPathComponent("none").appendingPathComponent("photo.jpg")
    await #expect(throws: CocoaError.self) {
      try await admin(Script([blob(["six"])])).downloadBlob("ab", to: nowhere)
    }
  }
}
