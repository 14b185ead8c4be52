import Foundation
import MeroHTTP
import MeroKit
import Testing

@Suite("The nonces of warrants")
struct WarrantNonceTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  @Test("40 §19 #41: one rising sequence for each relay, whoever draws")
  func sequences() throws {
    let store = MemoryWarrantNonceStore()
    var drawn: [UInt64] = []
    for number in 0..<10 {
      drawn.append(try store.next(relay: number.isMultiple(of: 2) ? "https://r" : "https://r/"))
    }
    #expect(drawn == Array(1...10))
    #expect(try store.next(relay: "https://other") == 1)
  }

  @Test("40 §19 #42: after a restart the next number is above all before")
  func restart() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = FileWarrantNonceStore(folder: folder)
    for _ in 0..<5 { _ = try first.next(relay: "https://r") }
    #expect(try FileWarrantNonceStore(folder: folder).next(relay: "https://r") == 6)
    let mode = try FileManager.default.attributesOfItem(atPath: first.path(of: "https://r"))[
      .posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test("40 §19 #43: a number that is marked as spent is passed over; a lower mark changes nothing")
  func marking() throws {
    let store = MemoryWarrantNonceStore()
    func mark(_ nonce: UInt64) throws {
      try DelegatedAccounts.markContextNonceSpent(
        relayURL: "https://r", contextId: AccountFixture.id(1), nonce: nonce, nonces: store)
    }
    try mark(5000)
    #expect(try store.next(relay: "https://r") == 5001)
    try mark(10)
    #expect(try store.next(relay: "https://r") == 5002)
  }

  @Test("40 §19 #44: numbers past 2^53 are kept exactly")
  func large() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileWarrantNonceStore(folder: folder)
    try store.advance(relay: "r", to: 9_007_199_254_740_993)
    #expect(try store.next(relay: "r") == 9_007_199_254_740_993)
    #expect(try FileWarrantNonceStore(folder: folder).next(relay: "r") == 9_007_199_254_740_994)
  }

  @Test("the last number of all is never handed out")
  func last() throws {
    let store = MemoryWarrantNonceStore()
    store.advance(relay: "r", to: .max - 1)
    #expect(try store.next(relay: "r") == .max - 1)
    #expect(throws: AccountError.self) { try store.next(relay: "r") }
    store.advance(relay: "r", to: .max)
    #expect(throws: AccountError.self) { try store.next(relay: "r") }
  }

  @Test("many who draw from one folder at once get different numbers")
  func concurrent() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let folder = folder
    let drawn = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = FileWarrantNonceStore(folder: folder)
          return try (0..<25).map { _ in try store.next(relay: "https://r") }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(drawn.sorted() == Array(1...100))
  }

  @Test("everything that draws from the same UserDefaults gets different numbers")
  func sharedDefaults() async throws {
    let suite = "nonces.\(UUID().uuidString)"
    defer { UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite) }
    let drawn = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let defaults = try #require(UserDefaults(suiteName: suite))
          let store = UserDefaultsWarrantNonceStore(defaults: defaults)
          return try (0..<10).map { _ in try store.next(relay: "https://r") }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(drawn.sorted() == Array(1...40))
  }

  @Test("relays whose addresses make the same file name on careless systems have different files")
  func fileNames() {
    let store = FileWarrantNonceStore(folder: folder)
    let names = [
      "https://r/a", "https://r%2fa", "https:..r.a", "../../etc/passwd", "https://r|governance|aa",
    ]
    let paths = Set(names.map { store.path(of: $0) })
    #expect(paths.count == names.count)
    for path in paths {
      #expect(URL(fileURLWithPath: path).deletingLastPathComponent().path == folder.path)
    }
  }

  @Test("a store that cannot be written hands out nothing")
  func unwritable() throws {
    let file = folder
    try Data("x".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: (any Error).self) { try FileWarrantNonceStore(folder: file).next(relay: "r") }
  }
}
