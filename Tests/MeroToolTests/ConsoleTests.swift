import Foundation
import Testing

@testable import mero

@Suite("What the tool reads and writes")
struct ConsoleTests {
  @Test("what cannot be read or written is said in words")
  func refused() throws {
    let folder = open("/", O_RDONLY)
    defer { close(folder) }
    #expect { try Console.input(from: folder) } throws: {
      "\($0)" == "the standard input cannot be read: Is a directory"
    }
    #expect { try Console.bytes(Data([1]), to: folder) } throws: {
      "\($0)" == "the result could not be written: Bad file descriptor"
    }
  }

  @Test("what is written arrives whole, and is read to its end")
  func whole() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { unlink(path) }
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) })
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    try Console.bytes(bytes, to: file)
    lseek(file, 0, SEEK_SET)
    #expect(try Console.input(from: file) == bytes)
  }
}
