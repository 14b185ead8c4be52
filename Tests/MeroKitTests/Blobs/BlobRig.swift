import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// A cluster with an app, a client of it, and a folder for files, which goes when the rig does.
final class BlobRig: Sendable {
  let rig = SessionRig()
  let client: CalimeroClient
  let app: String
  let folder: URL

  var cloud: FakeCloud { rig.cloud }
  var blobs: CalimeroClient.Blobs { client.blobs(app) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  /// - Parameters:
  ///   - oneRequest: the most bytes for one request; nil for the cluster's usual limits.
  init(oneRequest: Int? = nil, part: Int = 400) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("blobs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let oneRequest { rig.cloud.setFileLimits(oneRequest: oneRequest, part: part) }
    client = rig.client()
    app = try await rig.app(client)
    rig.cloud.clearLog()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// A file of so many mebibytes, no two of which are alike.
  func makeFile(_ name: String, mebibytes: Int) throws -> URL {
    let file = file(name)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var block = Data(SecureRandom.bytes(1 << 20))
    for index in 0..<mebibytes {
      block[block.startIndex] = UInt8(index)
      try handle.write(contentsOf: block)
    }
    return file
  }

  static func bytes(_ count: Int) -> Data { Data(SecureRandom.bytes(count)) }
  static func hash(_ data: Data) -> String { Hex.encode(SHA256.hash(data)) }
}

/// What a transfer told of its progress.
final class Steps: Sendable {
  private let steps = Locked<[BlobProgress]>([])

  var all: [BlobProgress] { steps.withLock { $0 } }
  var counts: [Int64] { all.map(\.completed) }
  var goesBack: Bool { zip(counts, counts.dropFirst()).contains { $0 > $1 } }

  func handler(_ then: @escaping @Sendable (Int64) -> Void = { _ in }) -> BlobProgress.Handler {
    { step in
      self.steps.withLock { $0.append(step) }
      then(step.completed)
    }
  }
}
