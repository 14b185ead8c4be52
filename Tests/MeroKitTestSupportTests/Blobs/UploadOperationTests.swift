import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Uploads in parts at a node")
struct UploadOperationTests {
  private let rig: Rig
  private let token: String
  private let app: String
  private let text = "0123456789ab"

  init() async throws {
    rig = try Rig()
    rig.cloud.setFileLimits(oneRequest: 4, part: 5)
    (token, app) = try await rig.appOf("ada")
  }

  private func hash(_ text: String) -> String { Hex.encode(SHA256.hash(Data(text.utf8))) }

  private func begin(_ text: String, token: String? = nil, size: Int? = nil) async throws -> Rig.Reply {
    let body = #"{"size":\#(size ?? text.utf8.count),"sha256":"\#(hash(text))","contentType":"text/plain"}"#
    return try await rig.send("POST", "/apps/\(app)/uploads", body, token: token ?? self.token)
  }

  private func part(_ upload: String, _ index: Int, _ text: String, node: Int = 0) async throws -> Rig.Reply {
    try await rig.send("PUT", "/apps/\(app)/uploads/\(upload)/parts/\(index)", text, token: token, node: node)
  }

  private func finish(_ upload: String, token: String? = nil) async throws -> Rig.Reply {
    try await rig.send("POST", "/apps/\(app)/uploads/\(upload)/finish", token: token ?? self.token)
  }

  private func upload(_ reply: Rig.Reply) throws -> String {
    try #require(reply.json["uploadId"]?.stringValue, "\(reply.json)")
  }

  private func received(_ reply: Rig.Reply) -> [Int] {
    reply.json["received"]?.arrayValue?.compactMap(\.int) ?? []
  }

  @Test("parts come in any order, at any node, and again; together they are the file")
  func parts() async throws {
    let begun = try await begin(text)
    #expect(begun.status == 201)
    #expect(begun.json["parts"]?.int == 3)
    #expect(begun.json["partSize"]?.int == 5)
    let id = try upload(begun)
    #expect(received(try await part(id, 2, "ab", node: 1)) == [2])
    #expect(received(try await part(id, 0, "wrong", node: 2)) == [0, 2])
    #expect(received(try await part(id, 1, "56789")) == [0, 1, 2])
    #expect(received(try await part(id, 0, "01234")) == [0, 1, 2])
    let blob = try await finish(id)
    #expect(blob.status == 201)
    #expect(blob.json["blobId"]?.stringValue == hash(text))
    #expect(blob.json["size"]?.int == 12)
    #expect(blob.json["contentType"]?.stringValue == "text/plain")
    // Asked again, because an answer was lost, all of it is as it was.
    #expect(try await finish(id).json == blob.json)
    #expect(received(try await part(id, 1, "56789")) == [0, 1, 2])
    let response = try await rig.open(
      "GET", "/apps/\(app)/blobs/\(hash(text))", token: token, node: 1, headers: [("range", "bytes=3-10")])
    #expect(try await response.body.collect(upTo: 100) == Data("3456789a".utf8))
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("naming the hash of an unfinished upload goes on with it; another account's is another")
  func resumed() async throws {
    let id = try upload(try await begin(text))
    _ = try await part(id, 1, "56789")
    let again = try await begin(text)
    #expect(try upload(again) == id)
    #expect(received(again) == [1])
    let bob = try await rig.signUp("bob")["accessToken"]?.stringValue
    rig.cloud.share(app, with: "bob", as: "writer")
    let other = try await begin(text, token: bob)
    #expect(try upload(other) != id)
    #expect(received(other).isEmpty)
    #expect(try await finish(id, token: bob).status == 404)
    // Another size is another file, whatever its hash is said to be.
    #expect(try upload(try await begin(text, size: 13)) != id)
  }

  @Test("an upload that lacks parts is 409 and names them")
  func incomplete() async throws {
    let id = try upload(try await begin(text))
    _ = try await part(id, 1, "56789")
    let reply = try await finish(id)
    #expect(reply.status == 409)
    #expect(reply.code == "UPLOAD_INCOMPLETE")
    #expect(reply.details?["missing"]?.arrayValue?.compactMap(\.int) == [0, 2])
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("parts that do not make the file are 422, and the upload is gone")
  func mismatch() async throws {
    let id = try upload(try await begin(text))
    for (index, text) in ["01234", "5678x", "ab"].enumerated() { _ = try await part(id, index, text) }
    #expect(try await finish(id).code == "HASH_MISMATCH")
    #expect(try await finish(id).status == 404)
    #expect(rig.cloud.blobs(of: app).isEmpty)
    #expect(received(try await begin(text)).isEmpty)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a part has its place and its length")
  func wrongParts() async throws {
    let id = try upload(try await begin(text))
    #expect(try await part(id, 3, "01234").code == "INVALID_ARGUMENT")
    #expect(try await part(id, -1, "01234").code == "INVALID_ARGUMENT")
    #expect(try await part(id, 0, "0123").code == "INVALID_ARGUMENT")
    #expect(try await part(id, 2, "abc").code == "INVALID_ARGUMENT")
    #expect(try await part(id, 0, "012345").code == "PAYLOAD_TOO_LARGE")
    #expect(try await part("upl_none", 0, "01234").code == "NOT_FOUND")
    #expect(received(try await begin(text)).isEmpty)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("what the app holds need not be sent, and a file deleted since has to be")
  func known() async throws {
    let id = try upload(try await begin(text))
    for (index, text) in ["01234", "56789", "ab"].enumerated() { _ = try await part(id, index, text) }
    _ = try await finish(id)
    let again = try await begin(text)
    #expect(received(again) == [0, 1, 2])
    #expect(try await finish(try upload(again)).status == 201)
    try await rig.send("DELETE", "/apps/\(app)/blobs/\(hash(text))", token: token)
    #expect(try await finish(id).status == 404)
    #expect(received(try await begin(text)).isEmpty)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("an upload waits a day for its parts, counted from when it was last begun")
  func expired() async throws {
    let key = HandPasskey()
    let session = try await rig.signUp("dora", with: key)
    rig.cloud.share(app, with: "dora", as: "writer")
    func token(_ session: JSONValue) -> String? { session["accessToken"]?.stringValue }
    func refreshed(_ session: JSONValue) async throws -> JSONValue {
      let body = #"{"refreshToken":"\#(session["refreshToken"]?.stringValue ?? "")"}"#
      return try await rig.send("POST", "/auth/refresh", body).json
    }
    let id = try upload(try await begin(text, token: token(session)))
    await rig.clock.advance(by: 80_000)
    let later = try await refreshed(session)
    #expect(try upload(try await begin(text, token: token(later))) == id)
    await rig.clock.advance(by: 86_399)
    let muchLater = try await refreshed(later)
    #expect(try await finish(id, token: token(muchLater)).code == "UPLOAD_INCOMPLETE")
    await rig.clock.advance(by: 1)
    #expect(try await finish(id, token: token(muchLater)).code == "NOT_FOUND")
    #expect(rig.cloud.violations.isEmpty)
  }
}
