import Foundation
import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let blobs: [TypedCall] = [
    TypedCall("PUT", "/blobs") { turn in
      let bytes = try #require(turn.good.bytes)
      let hash = Hex.encode(SHA256.hash(bytes))
      let info = try await turn.send(query: [("hash", hash), ("context_id", turn.context)]) {
        try await $0.uploadBlob(UploadBlobRequest(data: bytes, hash: hash, contextId: turn.context))
      }
      #expect(info.size == UInt64(bytes.count))
      #expect(turn.node.contexts(ofBlob: info.blobId) == [turn.context])
      #expect(try await turn.rig.get("/blobs/\(info.blobId)").bytes == bytes)
    },
    TypedCall("GET", "/blobs") { turn in
      let blobs = try await turn.send { try await $0.listBlobs() }.blobs
      #expect(blobs.last == BlobInfo(blobId: turn.world.blob, size: 5))
      let bytecode = try await turn.appKey()
      #expect(blobs.contains { $0.blobId == bytecode })
    },
    TypedCall("GET", "/blobs/{blob_id}") { turn in
      try await turn.expect(Data("hello".utf8)) { try await $0.getBlob(turn.world.blob) }
      let theirs = turn.node.addPeerBlob(Data("theirs".utf8), context: turn.context)
      turn.path = "/admin-api/blobs/\(theirs)"
      try await turn.refused(404) { try await $0.getBlob(theirs) }
      let bytes = try await turn.send(query: [("context_id", turn.context)]) {
        try await $0.getBlob(theirs, contextId: turn.context)
      }
      #expect(bytes == Data("theirs".utf8))
    },
    TypedCall("HEAD", "/blobs/{blob_id}") { turn in
      let info = try await turn.send { try await $0.getBlobInfo(turn.world.blob) }
      let expected = GetBlobInfoResponseData(
        blobId: turn.world.blob, size: 5, hash: Hex.encode(SHA256.hash(Data("hello".utf8))),
        mimeType: "application/octet-stream", source: .local)
      #expect(info == expected)
      let theirs = turn.node.addPeerBlob(Data("theirs".utf8), context: turn.context)
      turn.path = "/admin-api/blobs/\(theirs)"
      let atPeer = try await turn.send(query: [("context_id", turn.context)]) {
        try await $0.getBlobInfo(theirs, contextId: turn.context)
      }
      #expect(atPeer == GetBlobInfoResponseData(blobId: theirs, size: 6, source: .peer))
    },
    TypedCall("DELETE", "/blobs/{blob_id}") { turn in
      let answer = try await turn.send { try await $0.deleteBlob(turn.world.blob) }
      #expect(answer == DeleteBlobResponseData(blobId: turn.world.blob, deleted: true))
      #expect(try await turn.rig.get("/blobs/\(turn.world.blob)").status == 404)
    },
  ]
}
