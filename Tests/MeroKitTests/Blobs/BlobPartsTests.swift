import Foundation
import MeroAPI
import Testing

@testable import MeroKit

@Suite("Parts of an upload")
struct BlobPartsTests {
  private func upload(
    size: UInt64, partSize: UInt64, parts: Int32, received: [Int32] = []
  ) -> Components.Schemas.Upload {
    Components.Schemas.Upload(
      uploadId: "upl_1", size: size, partSize: partSize, parts: parts, received: received, expiresAt: 0)
  }

  @Test("the parts cover the file, and those received are left out")
  func cover() throws {
    let parts = try BlobParts(upload(size: 1001, partSize: 400, parts: 3, received: [1, 7, -1]), of: 1001)
    #expect(parts.missing == [0, 2])
    #expect((0..<3).map { parts.range($0) } == [0..<400, 400..<800, 800..<1001])
  }

  @Test(
    "what a node says of an upload is not believed when it makes no sense",
    arguments: [
      (1000, 400, 3), (1001, 0, 3), (1001, 400, 2), (1001, 400, 4), (1001, 400, -1), (1001, 1 << 40, 1),
    ] as [(UInt64, UInt64, Int32)])
  func nonsense(size: UInt64, partSize: UInt64, parts: Int32) {
    #expect(throws: CalimeroError.self) {
      try BlobParts(upload(size: size, partSize: partSize, parts: parts), of: 1001)
    }
  }

  @Test("a file is not cut into a request for every few bytes of it")
  func tinyParts() throws {
    let size: UInt64 = 40 << 20
    for partSize: UInt64 in [1, 64, 40_000] {
      let parts = Int32(clamping: (size + partSize - 1) / partSize)
      #expect(throws: CalimeroError.self) {
        try BlobParts(upload(size: size, partSize: partSize, parts: parts), of: size)
      }
    }
    #expect(try BlobParts(upload(size: size, partSize: 65_536, parts: 640), of: size).missing.count == 640)
  }

  @Test("a Content-Range is read as the standard has it")
  func contentRange() {
    let read = ContentRange("bytes 10-19/100")
    #expect(read?.first == 10)
    #expect(read?.last == 19)
    #expect(read?.total == 100)
    #expect(ContentRange("bytes 0-0/*")?.total == nil)
    for bad in ["", "bytes", "bytes */100", "bytes 5-4/10", "bytes 0-10/10", "bytes 0-9/x", "items 0-9/10"] {
      #expect(ContentRange(bad) == nil, "\(bad)")
    }
    #expect(ContentRange(nil) == nil)
  }
}
