import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Blobs of a fake node")
struct NodeBlobTests {
  private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
  private var hash: String { Hex.encode(SHA256.hash(png)) }

  private func upload(_ rig: NodeRig, _ query: String = "") async throws -> NodeRig.Answer {
    try await rig.send(
      .put, "/admin-api/blobs\(query)", bytes: png, headers: ["content-type": "application/octet-stream"])
  }

  @Test("what is uploaded comes back with its hash, type and length, also without the bytes")
  func roundTrip() async throws {
    let rig = NodeRig()
    let made = try await upload(rig, "?hash=\(hash)")
    #expect(made.data["size"] == 11)
    let id = try #require(made.data["blob_id"]?.stringValue)
    #expect(id != hash)
    for method in [HTTPMethod.get, .head] {
      let answer = try await rig.send(method, "/admin-api/blobs/\(id)")
      #expect(answer.status == 200)
      #expect(answer.bytes == (method == .get ? png : Data()))
      #expect(answer.headers["content-length"] == "11")
      #expect(answer.headers["content-type"] == "image/png")
      #expect(answer.headers["etag"] == "\"\(hash)\"")
      #expect(answer.headers["x-blob-id"] == id)
      #expect(answer.headers["x-blob-hash"] == hash)
      #expect(answer.headers["x-blob-mime-type"] == "image/png")
      #expect(answer.headers["x-blob-source"] == "local")
      #expect(answer.headers["cache-control"] == "private, no-cache")
    }
    let listed = try await rig.send(.get, "/admin-api/blobs").data["blobs"]?.arrayValue
    #expect(listed?.contains(["blob_id": .string(id), "size": 11]) == true)
  }

  @Test("a file is read from disk")
  func files() async throws {
    let rig = NodeRig()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try png.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var request = try rig.request(.put, "/admin-api/blobs?hash=\(hash)")
    request.body = .file(file)
    #expect(try await rig.node.transport.send(request).status == 200)
  }

  @Test("a hash that does not fit is the node's failure, a malformed one the caller's")
  func hashes() async throws {
    let rig = NodeRig()
    let wrong = try await upload(rig, "?hash=\(NodeRig.anId)")
    #expect(wrong.status == 500)
    #expect(wrong.error == "Failed to store blob: fatal: blob hash mismatch")
    #expect(try await upload(rig, "?hash=abc").status == 400)
    #expect(try await upload(rig, "?context_id=abc").status == 400)
  }

  @Test("an upload with a context is held for it")
  func announcement() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let id = try #require(try await upload(rig, "?context_id=\(context)").data["blob_id"]?.stringValue)
    #expect(rig.node.contexts(ofBlob: id) == [context])
    let elsewhere = try await upload(rig, "?context_id=\(NodeRig.anId)")
    #expect(elsewhere.status == 200)
    #expect(rig.node.contexts(ofBlob: id) == [context])
  }

  @Test("a peer's blob is found with its context only, and downloading it leaves a copy")
  func peers() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let id = rig.node.addPeerBlob(png, context: context)
    let alone = try await rig.send(.get, "/admin-api/blobs/\(id)")
    #expect(alone.status == 404)
    #expect(alone.error == "Blob not found locally or in network")
    let info = try await rig.send(.head, "/admin-api/blobs/\(id)?context_id=\(context)")
    #expect(info.headers["x-blob-source"] == "peer")
    #expect(info.headers["content-length"] == "11")
    #expect(info.headers["x-blob-hash"] == nil)
    #expect(try await rig.send(.head, "/admin-api/blobs/\(id)").status == 404)
    let found = try await rig.send(.get, "/admin-api/blobs/\(id)?context_id=\(context)")
    #expect(found.bytes == png)
    #expect(found.headers["x-blob-source"] == "peer")
    #expect(try await rig.send(.get, "/admin-api/blobs/\(id)").headers["x-blob-source"] == "local")
  }

  @Test("a blob is deleted once, and an application's never")
  func deletion() async throws {
    let rig = NodeRig()
    let id = rig.node.addBlob(png)
    #expect(
      try await rig.send(.delete, "/admin-api/blobs/\(id)").json == ["blob_id": .string(id), "deleted": true])
    #expect(try await rig.send(.delete, "/admin-api/blobs/\(id)").status == 404)
    let application = rig.node.installApplication(.chat)
    let blob = try await rig.send(.get, "/admin-api/applications/\(application)").data["application"]?["blob"]
    let bytecode = try #require(blob?["bytecode"]?.stringValue)
    #expect(try await rig.send(.delete, "/admin-api/blobs/\(bytecode)").status == 403)
  }

  @Test("each verb needs its permission, and blob covers them all")
  func permissions() async throws {
    let rig = NodeRig()
    let id = rig.node.addBlob(png)
    func status(_ method: HTTPMethod, _ path: String, _ permission: String) async throws -> Int {
      let token = rig.node.makeSession(permissions: [permission]).accessToken
      return try await rig.send(method, path, bytes: method == .put ? png : nil, as: .bearer(token)).status
    }
    for (method, path, permission) in [
      (HTTPMethod.put, "/admin-api/blobs", "blob:add:stream"), (.get, "/admin-api/blobs", "blob:list"),
      (.head, "/admin-api/blobs/\(id)", "blob:get"), (.delete, "/admin-api/blobs/\(id)", "blob:remove"),
    ] {
      #expect(try await status(method, path, "context:list") == 403)
      #expect(try await status(method, path, permission) == 200)
    }
    #expect(try await status(.put, "/admin-api/blobs", "blob") == 200)
  }
}
