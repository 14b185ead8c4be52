import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Files at a node")
struct BlobOperationTests {
  private func hash(_ text: String) -> String { Hex.encode(SHA256.hash(Data(text.utf8))) }

  private func bytes(
    _ rig: Rig, _ path: String, token: String, range: String? = nil
  ) async throws -> (status: Int, range: String?, text: String) {
    let headers = range.map { [("range", $0)] } ?? []
    let response = try await rig.open("GET", path, token: token, headers: headers)
    let data = try await response.body.collect(upTo: 1 << 20)
    return (response.status, response.headers["content-range"], String(decoding: data, as: UTF8.self))
  }

  @Test("a file's id is its hash, whatever its name; its type is kept; every node has it")
  func put() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let reply = try await rig.send(
      "POST", "/apps/\(app)/blobs?name=a%20b&sha256=\(hash("hello"))", "hello", token: token,
      headers: [("content-type", "text/plain")])
    #expect(reply.status == 201)
    #expect(reply.json["blobId"]?.stringValue == hash("hello"))
    #expect(reply.json["size"]?.int == 5)
    #expect(reply.json["name"]?.stringValue == "a b")
    #expect(reply.json["contentType"]?.stringValue == "text/plain")
    let path = "/apps/\(app)/blobs/\(hash("hello"))"
    let response = try await rig.open("GET", path, token: token, node: 2)
    #expect(response.status == 200)
    // Whatever was said when it was put: a file must not become a page or an answer.
    #expect(response.headers["content-type"] == "application/octet-stream")
    #expect(try await response.body.collect(upTo: 100) == Data("hello".utf8))
    // The same again changes nothing.
    let again = try await rig.send("POST", "/apps/\(app)/blobs?name=other", "hello", token: token)
    #expect(again.json == reply.json)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("bytes without the hash declared are 422, more than the limit 413, and neither is kept")
  func refused() async throws {
    let rig = try Rig()
    rig.cloud.setFileLimits(oneRequest: 10, part: 5)
    let (token, app) = try await rig.appOf("ada")
    let wrong = try await rig.send(
      "POST", "/apps/\(app)/blobs?sha256=\(hash("other"))", "hello", token: token)
    #expect(wrong.status == 422)
    #expect(wrong.code == "HASH_MISMATCH")
    let large = try await rig.send("POST", "/apps/\(app)/blobs", "hello world", token: token)
    #expect(large.status == 413)
    #expect(large.details?["limit"]?.int == 10)
    let bad = try await rig.send("POST", "/apps/\(app)/blobs?sha256=abc", "hello", token: token)
    #expect(bad.status == 400)
    #expect(rig.cloud.blobs(of: app).isEmpty)
    let info = try await rig.send("GET", "/info")
    #expect(info.json["limits"]?["blobBytes"]?.int == 10)
    #expect(info.json["limits"]?["partBytes"]?.int == 5)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test(
    "one range is answered with 206 and says which",
    arguments: [
      ("bytes=0-", "bytes 0-9/10", "0123456789"), ("bytes=3-5", "bytes 3-5/10", "345"),
      ("bytes=8-100", "bytes 8-9/10", "89"), ("bytes=-3", "bytes 7-9/10", "789"),
      ("bytes=-30", "bytes 0-9/10", "0123456789"), ("BYTES=9-9", "bytes 9-9/10", "9"),
    ])
  func ranges(asked: String, told: String, bytes expected: String) async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    try await rig.send("POST", "/apps/\(app)/blobs", "0123456789", token: token)
    let answer = try await bytes(
      rig, "/apps/\(app)/blobs/\(hash("0123456789"))", token: token, range: asked)
    #expect(answer.status == 206)
    #expect(answer.range == told)
    #expect(answer.text == expected)
  }

  @Test("a header that is not about one range means nothing; a range after the end is 400")
  func otherRanges() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    try await rig.send("POST", "/apps/\(app)/blobs", "0123456789", token: token)
    let path = "/apps/\(app)/blobs/\(hash("0123456789"))"
    for asked in ["bytes=0-1,3-4", "lines=0-1", "bytes=5-3", "bytes=a-b", "bytes", "bytes=-", "bytes=+1-2"] {
      let answer = try await bytes(rig, path, token: token, range: asked)
      #expect(answer.status == 200, "\(asked)")
      #expect(answer.text == "0123456789")
      #expect(answer.range == nil)
    }
    for asked in ["bytes=10-", "bytes=10-11", "bytes=-0"] {
      #expect(try await bytes(rig, path, token: token, range: asked).status == 400, "\(asked)")
    }
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("readers read, writers put, managers delete; strangers know of nothing (70 §2.20)")
  func roles() async throws {
    let rig = try Rig()
    let (_, app) = try await rig.appOf("ada")
    var tokens: [String: String] = [:]
    for role in ["reader", "writer", "manager", "stranger"] {
      tokens[role] = try await rig.signUp("the-\(role)")["accessToken"]?.stringValue
      if role != "stranger" { rig.cloud.share(app, with: "the-\(role)", as: role) }
    }
    let file = "/apps/\(app)/blobs/\(hash("x"))"
    let expected: [(String, [Int])] = [
      ("manager", [201, 200, 200, 204, 201]), ("writer", [201, 200, 200, 403, 201]),
      ("reader", [403, 200, 200, 403, 403]), ("stranger", [404, 404, 404, 404, 404]),
    ]
    for (role, statuses) in expected {
      let token = tokens[role]
      let owner = tokens["manager"]
      try await rig.send("POST", "/apps/\(app)/blobs", "x", token: owner)
      var got = [try await rig.send("POST", "/apps/\(app)/blobs", "y", token: token).status]
      got.append(try await rig.send("GET", "/apps/\(app)/blobs", token: token).status)
      got.append(try await rig.open("GET", file, token: token).status)
      got.append(try await rig.send("DELETE", file, token: token).status)
      let begin = #"{"size":1,"sha256":"\#(hash("z"))"}"#
      got.append(try await rig.send("POST", "/apps/\(app)/uploads", begin, token: token).status)
      #expect(got == statuses, "\(role)")
    }
    #expect(try await rig.open("GET", "/apps/\(app)/blobs").status == 401)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a file of one app is none of another's, and deleting it there leaves it here")
  func apart() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let org = try await rig.send("POST", "/orgs", #"{"name":"Other"}"#, token: token)
    let body =
      #"{"name":"other","package":"com.calimero.chat","org":"\#(org.json["orgId"]?.stringValue ?? "")"}"#
    let second = try await rig.send("POST", "/apps", body, token: token)
    let other = try #require(second.json["appId"]?.stringValue)
    try await rig.send("POST", "/apps/\(app)/blobs", "x", token: token)
    #expect(try await rig.send("GET", "/apps/\(other)/blobs/\(hash("x"))", token: token).status == 404)
    try await rig.send("POST", "/apps/\(other)/blobs", "x", token: token)
    #expect(try await rig.send("DELETE", "/apps/\(other)/blobs/\(hash("x"))", token: token).status == 204)
    #expect(try await bytes(rig, "/apps/\(app)/blobs/\(hash("x"))", token: token).text == "x")
    #expect(try await rig.send("DELETE", "/apps/\(other)/blobs/\(hash("x"))", token: token).status == 204)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test(
    "a file that is put again is kept under a new name, so that the one deleted before takes nothing with it")
  func putAgain() async throws {
    let bytes = LateRemoval()
    let rig = try Rig(blobBytes: bytes)
    let (token, app) = try await rig.appOf("ada")
    let file = "/apps/\(app)/blobs/\(hash("x"))"
    for _ in 0..<3 {
      #expect(try await rig.send("POST", "/apps/\(app)/blobs", "x", token: token).status == 201)
      #expect(try await rig.send("DELETE", file, token: token).status == 204)
    }
    #expect(try await rig.send("POST", "/apps/\(app)/blobs", "x", token: token).status == 201)
    // The removals of the three come only now, after the fourth was put.
    bytes.removeAsAsked()
    #expect(try await self.bytes(rig, file, token: token).text == "x")
    #expect(bytes.names.count == 1)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test(
    "others are answered while a file's bytes are written, and a file nobody may put any more leaves none")
  func slowBytes() async throws {
    let bytes = GatedBytes()
    let rig = try Rig(blobBytes: bytes)
    let (token, app) = try await rig.appOf("ada")
    let writer = try await rig.signUp("bob")["accessToken"]?.stringValue
    rig.cloud.share(app, with: "bob", as: "writer")
    async let put = rig.send("POST", "/apps/\(app)/blobs", "x", token: writer)
    #expect(await eventually { bytes.isWaiting })
    #expect(try await rig.send("GET", "/apps/\(app)/blobs", token: token).json["blobs"] == [])
    bytes.open()
    #expect(try await put.status == 201)
    #expect(bytes.count == 1)

    async let late = rig.send("POST", "/apps/\(app)/blobs", "y", token: writer)
    #expect(await eventually { bytes.isWaiting })
    rig.cloud.share(app, with: "bob", as: "reader")
    bytes.open()
    #expect(try await late.code == "FORBIDDEN")
    #expect(bytes.count == 1)
    #expect(!bytes.timedOut)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a disk that takes no bytes is 503, and the file is not there")
  func fullDisk() async throws {
    let bytes = GatedBytes()
    let rig = try Rig(blobBytes: bytes)
    let (token, app) = try await rig.appOf("ada")
    bytes.fill(true)
    let refused = try await rig.send("POST", "/apps/\(app)/blobs", "x", token: token)
    #expect(refused.status == 503)
    #expect(refused.code == "UNAVAILABLE")
    #expect(rig.cloud.blobs(of: app).isEmpty)
    bytes.fill(false)
    bytes.open()
    #expect(try await rig.send("POST", "/apps/\(app)/blobs", "x", token: token).status == 201)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a suspended app's files are out of reach, and a page's cursor is good for its own listing only")
  func suspended() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    for text in ["a", "b", "c"] { try await rig.send("POST", "/apps/\(app)/blobs", text, token: token) }
    let page = try await rig.send("GET", "/apps/\(app)/blobs?limit=2", token: token)
    #expect(
      page.json["blobs"]?.arrayValue?.compactMap { $0["blobId"]?.stringValue } == [hash("c"), hash("b")])
    let cursor = try #require(page.json["nextCursor"]?.stringValue)
    let rest = try await rig.send("GET", "/apps/\(app)/blobs?limit=2&cursor=\(cursor)", token: token)
    #expect(rest.json["blobs"]?.arrayValue?.compactMap { $0["blobId"]?.stringValue } == [hash("a")])
    #expect(rest.json["nextCursor"] == nil)
    #expect(try await rig.send("GET", "/orgs?cursor=\(cursor)", token: token).code == "INVALID_CURSOR")
    rig.cloud.setState("suspended", ofApp: app)
    #expect(try await rig.send("GET", "/apps/\(app)/blobs", token: token).code == "SUSPENDED")
    #expect(rig.cloud.violations.isEmpty)
  }
}
