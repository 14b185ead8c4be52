import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Large files against a cluster", .serialized)
struct LargeBlobTests {
  private let mebibyte: Int64 = 1 << 20

  @Test("70 §2.27 #18: a 100 MiB file goes up and comes down, interrupted both ways, with its hash checked")
  func hundredMebibytes() async throws {
    let rig = try await BlobRig()
    let file = try rig.makeFile("film", mebibytes: 100)
    let hash = Hex.encode(try BlobHash.of(file))

    // The app is ended in the middle of it.
    let first = Steps()
    let running = Locked<Task<Void, any Error>?>(nil)
    let put = Task {
      let stop = first.handler { if $0 >= 24 << 20 { running.withLock { $0?.cancel() } } }
      _ = try await rig.blobs.put(file: file, contentType: "video/mp4", name: "film.mp4", progress: stop)
    }
    running.withLock { $0 = put }
    await #expect(throws: CalimeroError.cancelled) { try await put.value }
    #expect(rig.cloud.blobs(of: rig.app).isEmpty)
    #expect(rig.cloud.log.requests("app_blob_put").isEmpty)

    // The same file again: answers are lost, and the node at the other end dies.
    let second = Steps()
    let node = rig.cloud.nodes[0]
    node.loseAnswer(times: 2, operation: "app_upload_part")
    rig.cloud.clearLog()
    let blob = try await rig.blobs.put(
      file: file, contentType: "video/mp4", name: "film.mp4",
      progress: second.handler { if $0 >= 72 << 20 { node.down() } })
    #expect(blob.blobId == hash)
    #expect(blob.size == 104_857_600)
    #expect(try #require(second.counts.first) >= 24 << 20)
    #expect(second.all.last == BlobProgress(completed: 100 * mebibyte, total: 100 * mebibyte))
    #expect(!second.goesBack)
    // Thirteen parts in all, of which at least three were there.
    let parts = rig.cloud.log.requests("app_upload_part")
    #expect(Set(parts.map(\.path)).count <= 10)
    #expect(parts.filter { $0.status == nil }.count >= 2)
    #expect(rig.cloud.log.requests("app_upload_finish").last?.node != 0)

    // Down, with a node that is away and two that break off.
    let copy = rig.file("copy")
    try Data("an older film".utf8).write(to: copy)
    for node in rig.cloud.nodes.dropFirst() { await node.cut(afterFrames: 400) }
    rig.cloud.clearLog()
    let third = Steps()
    try await rig.blobs.download(hash, to: copy, progress: third.handler())
    #expect(Hex.encode(try BlobHash.of(copy)) == hash)
    #expect(third.all.last == BlobProgress(completed: 100 * mebibyte, total: 100 * mebibyte))
    #expect(!third.goesBack)
    let gets = rig.cloud.log.requests("app_blob_get")
    #expect(gets.count == 3)
    #expect(gets.allSatisfy { $0.status == 206 && $0.node != 0 })
    #expect(Set(gets.map(\.node)).count == 2)
    #expect(rig.names.sorted() == ["copy", "film"])

    // A bit that flips on the cluster's disk.
    rig.cloud.corrupt(blob: hash, of: rig.app, at: 50 << 20)
    await #expect {
      try await rig.blobs.download(hash, to: copy)
    } throws: { error in
      guard case CalimeroError.integrity? = error as? CalimeroError else { return false }
      return true
    }
    // What was there before is still there, and nothing else.
    #expect(Hex.encode(try BlobHash.of(copy)) == hash)
    #expect(rig.names.sorted() == ["copy", "film"])
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }
}
