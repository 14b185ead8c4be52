import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Files against a cluster")
struct BlobsClusterTests {
  private func isIntegrity(_ error: any Error) -> Bool {
    if case CalimeroError.integrity? = error as? CalimeroError { true } else { false }
  }

  private func isInvalid(_ error: any Error) -> Bool {
    if case CalimeroError.invalidInput? = error as? CalimeroError { true } else { false }
  }

  // MARK: Up

  @Test("what fits goes in one request with its hash, and the limits are asked for once")
  func oneRequest() async throws {
    let rig = try await BlobRig(oneRequest: 1000)
    let (bytes, steps) = (BlobRig.bytes(1000), Steps())
    let blob = try await rig.blobs.put(
      bytes, contentType: "image/png", name: "cat ü.png", progress: steps.handler())
    #expect(blob.blobId == BlobRig.hash(bytes))
    #expect(blob.contentType == "image/png")
    #expect(blob.name == "cat ü.png")
    #expect(steps.all == [BlobProgress(completed: 1000, total: 1000)])
    // The same again is stored once.
    #expect(try await rig.blobs.put(bytes, name: "other").name == "cat ü.png")
    #expect(rig.cloud.log.requests("app_blob_put").map(\.status) == [201, 201])
    #expect(rig.cloud.log.requests("public_info").count == 1)
    #expect(rig.cloud.blobs(of: rig.app) == [blob.blobId])
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
    #expect(rig.cloud.lapses == [])
  }

  @Test("what does not fit goes in parts, from memory as from a file, and no progress goes back")
  func parts() async throws {
    let rig = try await BlobRig(oneRequest: 999)
    let bytes = BlobRig.bytes(1001)
    try bytes.write(to: rig.file("a"))
    let steps = Steps()
    let blob = try await rig.blobs.put(file: rig.file("a"), progress: steps.handler())
    #expect(blob.blobId == BlobRig.hash(bytes))
    #expect(blob.contentType == "application/octet-stream")
    #expect(rig.cloud.log.requests("app_upload_part").count == 3)
    #expect(steps.counts.first == 0)
    #expect(steps.counts.last == 1001)
    #expect(!steps.goesBack)
    let others = BlobRig.bytes(800 * 2)
    #expect(try await rig.blobs.put(others).size == 1600)
    #expect(try await rig.blobs.get(BlobRig.hash(others)) == others)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("three parts are on their way at a time")
  func threeAtATime() async throws {
    let rig = try await BlobRig(oneRequest: 100, part: 100)
    let (node, begun) = (rig.cloud.nodes[0], Gate())
    let steps = Steps()
    let put = Task {
      // From the first part on each request waits at the node's door.
      try await rig.blobs.put(
        BlobRig.bytes(1000),
        progress: steps.handler { _ in
          if steps.all.count == 1 {
            node.delay(milliseconds: 5000)
            rig.cloud.clearLog()
            begun.open()
          }
        })
    }
    try await begun.wait()
    for wave in 1...3 {
      #expect(await eventually { rig.cloud.log.outer.count == wave * 3 })
      for _ in 0..<2000 { await Task.yield() }
      #expect(rig.cloud.log.outer.count == wave * 3)
      await rig.rig.clock.advance(by: 5)
    }
    node.delay(milliseconds: 0)
    let isDone = Locked(false)
    let time = Task {
      // No further than to whoever waits at the door: time must not outrun the requests.
      while !isDone.withLock({ $0 }) {
        if let wake = rig.rig.clock.nextWake, wake <= 5 { await rig.rig.clock.advance(by: wake) }
        await Task.yield()
      }
    }
    #expect(try await put.value.size == 1000)
    isDone.withLock { $0 = true }
    await time.value
    #expect(rig.cloud.log.requests("app_upload_part").count == 10)
  }

  @Test("a file of this machine that cannot be written is said so, and not that nothing was sent")
  func badPlace() async throws {
    let rig = try await BlobRig()
    let blob = try await rig.blobs.put(BlobRig.bytes(100))
    let error = await calimeroError {
      try await rig.blobs.download(blob.blobId, to: rig.file("no/such/folder"))
    }
    #expect(error?.isLocalFailure == true)
    #expect(error?.description.hasPrefix("On this machine, a file cannot be used: ") == true)
  }

  @Test("70 §2.27 #18: parts that a node lacks at the end are sent, once")
  func incomplete() async throws {
    let rig = try await BlobRig(oneRequest: 100)
    let node = rig.cloud.nodes[0]
    let bytes = BlobRig.bytes(1000)
    node.answer(409, "UPLOAD_INCOMPLETE", operation: "app_upload_finish", details: ["missing": [1]])
    let steps = Steps()
    _ = try await rig.blobs.put(bytes, progress: steps.handler())
    let parts = rig.cloud.log.requests("app_upload_part")
    #expect(parts.filter { $0.path.hasSuffix("/parts/1") }.count == 2)
    #expect(parts.count == 4)
    #expect(!steps.goesBack)
    node.answer(409, "UPLOAD_INCOMPLETE", times: 2, operation: "app_upload_finish", details: ["missing": [0]])
    await #expect {
      try await rig.blobs.put(BlobRig.bytes(1000))
    } throws: { ($0 as? CalimeroError)?.code == .uploadIncomplete }
    // A node that does not say what it lacks is not sent everything again.
    node.answer(409, "UPLOAD_INCOMPLETE", operation: "app_upload_finish", details: ["missing": [99]])
    await #expect {
      try await rig.blobs.put(BlobRig.bytes(1000))
    } throws: { ($0 as? CalimeroError)?.code == .uploadIncomplete }
  }

  @Test("70 §2.27 #18: a lost answer to any step of an upload is asked for again")
  func lostAnswers() async throws {
    let rig = try await BlobRig(oneRequest: 100)
    for step in ["app_upload_begin", "app_upload_part", "app_upload_finish"] {
      for node in rig.cloud.nodes.prefix(2) { node.loseAnswer(operation: step) }
      let bytes = BlobRig.bytes(1000)
      #expect(try await rig.blobs.put(bytes).blobId == BlobRig.hash(bytes))
      #expect(try await rig.blobs.get(BlobRig.hash(bytes)) == bytes)
      for node in rig.cloud.nodes { await node.clearFaults() }
    }
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("what the app holds already is not sent again in parts")
  func known() async throws {
    let rig = try await BlobRig(oneRequest: 100)
    let bytes = BlobRig.bytes(1000)
    let first = try await rig.blobs.put(bytes)
    rig.cloud.clearLog()
    #expect(try await rig.blobs.put(bytes) == first)
    #expect(rig.cloud.log.requests("app_upload_part").isEmpty)
  }

  @Test("a file that changes as it is sent is not stored")
  func changing() async throws {
    let rig = try await BlobRig(oneRequest: 100)
    let file = rig.file("log")
    try BlobRig.bytes(1000).write(to: file)
    let isChanged = Locked(false)
    await #expect {
      try await rig.blobs.put(
        file: file,
        progress: { _ in
          let first = isChanged.withLock { done in
            defer { done = true }
            return !done
          }
          if first { try? BlobRig.bytes(1000).write(to: file) }
        })
    } throws: { ($0 as? CalimeroError)?.code == .hashMismatch }
    #expect(rig.cloud.blobs(of: rig.app).isEmpty)
  }

  @Test("files of this machine that cannot be read or replaced are said so, and nothing is sent")
  func badFiles() async throws {
    let rig = try await BlobRig()
    await #expect { try await rig.blobs.put(file: rig.file("none")) } throws: { isInvalid($0) }
    await #expect { try await rig.blobs.put(file: rig.folder) } throws: { isInvalid($0) }
    let id = BlobRig.hash(Data())
    await #expect { try await rig.blobs.download(id, to: rig.folder) } throws: { isInvalid($0) }
    await #expect { try await rig.blobs.get("../secrets") } throws: { isInvalid($0) }
    await #expect { try await rig.blobs.get(id, range: 3..<3) } throws: { isInvalid($0) }
    #expect(rig.cloud.log.inner.isEmpty)
  }

  // MARK: Down

  @Test(
    "a range is read as it was asked for; one beyond the end is shorter, or refused when nothing of it is there"
  )
  func ranges() async throws {
    let rig = try await BlobRig()
    let bytes = BlobRig.bytes(1000)
    let id = try await rig.blobs.put(bytes).blobId
    #expect(try await rig.blobs.get(id, range: 10..<20) == bytes[10..<20])
    #expect(try await rig.blobs.get(id, range: 990..<2000) == bytes[990...])
    #expect(try await rig.blobs.get(id, range: 0..<1) == bytes[..<1])
    await #expect {
      try await rig.blobs.get(id, range: 1000..<1001)
    } throws: { ($0 as? CalimeroError)?.code == .invalidArgument }
    var streamed = Data()
    for try await piece in rig.blobs.stream(id, range: 500..<1000) { streamed += piece }
    #expect(streamed == bytes[500...])
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("an empty file goes up and comes down")
  func empty() async throws {
    let rig = try await BlobRig()
    let blob = try await rig.blobs.put(Data())
    #expect(blob.size == 0)
    #expect(try await rig.blobs.get(blob.blobId).isEmpty)
    let steps = Steps()
    try await rig.blobs.download(blob.blobId, to: rig.file("empty"), progress: steps.handler())
    #expect(try Data(contentsOf: rig.file("empty")).isEmpty)
    #expect(steps.all == [BlobProgress(completed: 0, total: 0)])
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test(
    "70 §2.27 #18: a download that breaks off goes on at the next node from the bytes at hand, a range too")
  func resumes() async throws {
    let rig = try await BlobRig()
    let bytes = BlobRig.bytes(300_000)
    let id = try await rig.blobs.put(bytes).blobId
    for node in rig.cloud.nodes { await node.cut(afterFrames: 2) }
    rig.cloud.clearLog()
    #expect(try await rig.blobs.get(id) == bytes)
    #expect(Set(rig.cloud.log.requests("app_blob_get").prefix(3).map(\.node)).count == 3)
    for node in rig.cloud.nodes { await node.cut(afterFrames: 2) }
    #expect(try await rig.blobs.get(id, range: 1000..<250_000) == bytes[1000..<250_000])
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #26: a frame that was tampered with is asked for again and never part of a file")
  func tampered() async throws {
    let rig = try await BlobRig()
    let bytes = BlobRig.bytes(300_000)
    let id = try await rig.blobs.put(bytes).blobId
    for node in rig.cloud.nodes.prefix(2) { await node.tamper(frame: 3) }
    #expect(try await rig.blobs.get(id) == bytes)
  }

  @Test("a download that nobody can end is given up, and leaves nothing")
  func givenUp() async throws {
    let rig = try await BlobRig()
    let id = try await rig.blobs.put(BlobRig.bytes(1000)).blobId
    for node in rig.cloud.nodes { await node.cut(afterFrames: 1, times: 100) }
    rig.cloud.clearLog()
    await #expect {
      try await rig.blobs.download(id, to: rig.file("copy"))
    } throws: { error in
      if case CalimeroError.unknownOutcome? = error as? CalimeroError { true } else { false }
    }
    #expect(rig.cloud.log.requests("app_blob_get").count == 6)
    #expect(rig.names.isEmpty)
  }

  @Test("70 §2.27 #18: a flipped byte is an integrity error, read whole or as a stream; a range cannot know")
  func flipped() async throws {
    let rig = try await BlobRig()
    let id = try await rig.blobs.put(BlobRig.bytes(1000)).blobId
    rig.cloud.corrupt(blob: id, of: rig.app, at: 999)
    await #expect { try await rig.blobs.get(id) } throws: { isIntegrity($0) }
    await #expect {
      for try await _ in rig.blobs.stream(id) {}
    } throws: { isIntegrity($0) }
    #expect(try await rig.blobs.get(id, range: 0..<1000).count == 1000)
  }

  @Test("a download that is cancelled ends at once and leaves nothing")
  func cancelled() async throws {
    let rig = try await BlobRig()
    let id = try await rig.blobs.put(BlobRig.bytes(3_000_000)).blobId
    let running = Locked<Task<Void, any Error>?>(nil)
    let task = Task {
      try await rig.blobs.download(id, to: rig.file("copy")) { _ in running.withLock { $0?.cancel() } }
    }
    running.withLock { $0 = task }
    await #expect(throws: CalimeroError.cancelled) { try await task.value }
    #expect(rig.names.isEmpty)
    #expect(try await rig.blobs.get(id).count == 3_000_000)
  }

  // MARK: What there is

  @Test("files are listed newest first, page by page, and deleted ones are gone")
  func listing() async throws {
    let rig = try await BlobRig()
    var ids: [String] = []
    for count in 1...120 { ids.append(try await rig.blobs.put(BlobRig.bytes(count)).blobId) }
    var listed: [String] = []
    for try await blob in rig.blobs.list() { listed.append(blob.blobId) }
    #expect(listed == ids.reversed())
    #expect(rig.cloud.log.requests("app_blob_list").count == 2)
    try await rig.blobs.delete(ids[0])
    try await rig.blobs.delete(ids[0])
    await #expect {
      try await rig.blobs.get(ids[0])
    } throws: { ($0 as? CalimeroError)?.code == .notFound }
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }
}
