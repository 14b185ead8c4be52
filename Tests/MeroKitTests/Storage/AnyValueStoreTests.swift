import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("Where one value is kept")
struct AnyValueStoreTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("values-\(UInt64.random(in: .min ... .max))")

  private var file: URL { folder.appendingPathComponent("a/keys.json") }

  @Test("40 §5.1: a device's keys are kept as hex, in a file that only its owner can read")
  func deviceKeys() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let keys = try DeviceKeys(
      signSecret: Data(repeating: 1, count: 32), kemSecret: Data(repeating: 2, count: 32))
    let store = AnyValueStore<DeviceKeys>.file(url: file)
    #expect(try store.load() == nil)
    try store.save(keys)
    #expect(try AnyValueStore<DeviceKeys>.file(url: file).load() == keys)
    let json = try JSONValue(parsing: try Data(contentsOf: file))
    #expect(
      json == [
        "sign_sk": .string(String(repeating: "01", count: 32)),
        "kem_sk": .string(String(repeating: "02", count: 32)),
      ])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(try #require(attributes[.posixPermissions] as? NSNumber).intValue & 0o777 == 0o600)
    try store.clear()
    try store.clear()
    #expect(try store.load() == nil)
  }

  @Test(
    "what is no such value counts as nothing, and can be replaced", arguments: ["", "{", "[]", "{}", "5"])
  func corrupt(_ text: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = AnyValueStore<CloudSession>.file(url: file)
    let session = CloudSession(account: "a", device: "d", credential: "c")
    try store.save(session)
    try Data(text.utf8).write(to: file)
    #expect(try store.load() == nil)
    try store.save(session)
    #expect(try store.load() == session)
  }

  @Test("a place that cannot be read is not an empty one")
  func unreadable() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: (any Error).self) { try AnyValueStore<String>.file(url: folder).load() }
    #expect(throws: (any Error).self) { try AnyValueStore<String>.file(url: folder).save("x") }
  }

  @Test("a store in memory gives back what it was given")
  func memory() throws {
    let store = AnyValueStore<String>.memory("a")
    #expect(try store.load() == "a")
    try store.save("b")
    #expect(try store.load() == "b")
    try store.clear()
    #expect(try store.load() == nil)
  }
}
