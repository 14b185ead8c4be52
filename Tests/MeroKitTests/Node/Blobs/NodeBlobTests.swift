import Foundation
import MeroKit
import MeroKitTestSupport
import Testing

@Suite("Blobs between a client and a node", .timeLimit(.minutes(5)))
struct NodeBlobTests {
  @Test("a file that was put on the node comes back the same, checked by both sides")
  func roundTrip() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let file = folder.appendingPathComponent("in")
    try bytes.write(to: file)
    let blob = try await rig.mero.admin.uploadBlob(file: file, contextId: context, verified: true)
    #expect(blob.size == 200_000)
    #expect(rig.node.contexts(ofBlob: blob.blobId) == [context])
    let copy = folder.appendingPathComponent("out")
    let info = try await rig.mero.admin.downloadBlob(blob.blobId, to: copy, verified: true)
    #expect(try Data(contentsOf: copy) == bytes)
    #expect(info.source == .local)
    #expect(try await rig.mero.admin.downloadBlob(blob.blobId, verified: true) == bytes)
  }

  @Test("a blob that only a peer holds comes when it is asked for with its context")
  func fromPeer() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    let id = rig.node.addPeerBlob(Data("from afar".utf8), context: context)
    let missing = await #expect(throws: MeroError.self) { try await rig.mero.admin.downloadBlob(id) }
    #expect(missing?.httpStatus == 404)
    #expect(missing?.refusal?.message == "Blob not found locally or in network")
    let bytes = try await rig.mero.admin.downloadBlob(id, contextId: context, verified: true)
    #expect(bytes == Data("from afar".utf8))
  }

  @Test("an old token is renewed once for an upload and for a download")
  func renewal() async throws {
    let rig = await FakeNodeRig()
    rig.node.expireAccessToken()
    let blob = try await rig.mero.admin.uploadBlob(Data("hello".utf8))
    rig.node.expireAccessToken()
    #expect(try await rig.mero.admin.downloadBlob(blob.blobId) == Data("hello".utf8))
    #expect(rig.node.refreshCalls == 2)
  }
}
