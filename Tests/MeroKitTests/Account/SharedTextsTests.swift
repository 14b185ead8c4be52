import Foundation
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("What an account learned, in a file")
struct SharedTextsTests {
  private func withFile(_ test: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("relays-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder.appendingPathComponent("new/relays.json"))
  }

  @Test("it outlives the process, and only its owner can read it")
  func kept() async throws {
    try await withFile { url in
      let account = AccountFixture.id(0xAA)
      DelegatedAccounts.rememberRelay(
        account, relayURL: "https://r/", namespaceId: AccountFixture.id(1), store: .file(url: url))
      try DelegatedAccounts.pinRelayNodeKey(
        "https://r", nodeKey: AccountFixture.id(2), store: .file(url: url))
      let later = DelegatedAccountStore.file(url: url)
      #expect(
        DelegatedAccounts.readRelayMap(account, store: later).namespaces == [
          AccountFixture.id(1): "https://r"
        ])
      #expect(DelegatedAccounts.pinnedRelayNodeKey("https://r/", store: later) == AccountFixture.id(2))
      let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
    }
  }

  @Test("what several write at the same time is all there")
  func together() async throws {
    try await withFile { url in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<24 {
          group.addTask {
            // A store of its own each, as processes have.
            DelegatedAccountStore.file(url: url).set("\(number)", "key \(number)")
          }
        }
      }
      let store = DelegatedAccountStore.file(url: url)
      #expect((0..<24).allSatisfy { store.text("key \($0)") == "\($0)" })
    }
  }

  @Test(
    "a file that holds something else is an empty one, and is written over",
    arguments: ["", "{", "[1]", "{\"a\":7}"])
  func corrupt(_ text: String) async throws {
    try await withFile { url in
      DelegatedAccountStore.file(url: url).set("before", "a")
      try Data(text.utf8).write(to: url)
      let store = DelegatedAccountStore.file(url: url)
      #expect(store.text("a") == nil)
      store.set("after", "a")
      #expect(DelegatedAccountStore.file(url: url).text("a") == "after")
    }
  }

  @Test("where nothing can be written, this process keeps what it learned")
  func unwritable() {
    let store = DelegatedAccountStore.file(url: URL(fileURLWithPath: "/dev/null/relays.json"))
    store.set("text", "a")
    #expect(store.text("a") == "text")
  }
}
