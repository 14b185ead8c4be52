import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// What was learned is kept, and a number that was not written is not used.
@Suite("What is kept of relays and numbers", .timeLimit(.minutes(3)))
struct KeptWordTests {

  #if canImport(Darwin)
    /// `@unchecked Sendable` is sound because it adds no member to `UserDefaults`, which is documented to be safe from any
    /// thread, and its only method touches none.
    private final class StuckDefaults: UserDefaults, @unchecked Sendable {
      override func synchronize() -> Bool { false }
    }
  #else
    private final class StuckDefaults: UserDefaults {
      override func synchronize() -> Bool { false }
    }
  #endif

  @Test("a number that could not be written is not handed out")
  func unwrittenNumber() throws {
    let suite = UUID().uuidString
    let defaults = try #require(StuckDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    let store = UserDefaultsWarrantNonceStore(defaults: defaults)
    #expect(throws: (any Error).self) { try store.next(relay: WillingRelay.url) }
  }

  // MARK: Lists

  private func withFile(_ test: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder.appendingPathComponent("relays.json"))
  }

  @Test("what a process adds to the map does not undo what another one added meanwhile")
  func sharedMap() async throws {
    try await withFile { url in
      let account = AccountFixture.id(0xAA)
      let (long, short) = (DelegatedAccountStore.file(url: url), DelegatedAccountStore.file(url: url))
      for (store, id) in [(long, UInt8(1)), (short, 2), (long, 3)] {
        DelegatedAccounts.rememberRelay(
          account, relayURL: "https://r", namespaceId: AccountFixture.id(id), store: store)
      }
      let kept = DelegatedAccounts.readRelayMap(account, store: .file(url: url)).namespaces.keys.sorted()
      #expect(kept == (1...3).map { AccountFixture.id($0) })
    }
  }

  @Test("of two changes at once none is lost, in whatever order they are written")
  func changesAtOnce() async throws {
    let account = AccountFixture.id(0xAA)
    let kept = Locked<[String: String]>([:])
    let isFirst = Locked(true)
    let (held, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = DelegatedAccountStore(
      backing: .init(
        read: { key in kept.withLock { $0[key] } },
        write: { key, text in
          let waits = isFirst.withLock { first in
            defer { first = false }
            return first
          }
          if waits {
            held.signal()
            _ = done.wait(timeout: .now() + 1)
          }
          kept.withLock { $0[key] = text }
        }))
    let first = Thread {
      DelegatedAccounts.rememberRelay(
        account, relayURL: "https://r", namespaceId: AccountFixture.id(1), store: store)
      done.signal()
    }
    first.start()
    await Task.detached { held.wait() }.value
    DelegatedAccounts.rememberRelay(
      account, relayURL: "https://r", namespaceId: AccountFixture.id(2), store: store)
    done.signal()
    while !first.isFinished { await Task.yield() }
    let later = DelegatedAccountStore(
      backing: .init(read: { key in kept.withLock { $0[key] } }, write: { _, _ in }))
    #expect(DelegatedAccounts.readRelayMap(account, store: later).namespaces.count == 2)
  }

  @Test("however much a relay lists, a namespace that is joined afterwards is remembered")
  func longList() async throws {
    try await withFile { url in
      let contexts = JSONValue.array(
        (0..<14_000).map { number in
          [
            "id": .string(String(format: "%064x", number)), "applicationId": .string(AccountFixture.id(5)),
            "groupId": .string(WillingRelay.namespace), "contextStateHash": "",
          ]
        })
      let relay = WillingRelay.answering { request in
        request.url.path.hasSuffix("/contexts") ? ["data": ["contexts": contexts]] : nil
      }
      let env = WillingRelay.environment(relay, store: .file(url: url))
      let session = try AccountFixture.session(relay: WillingRelay.url)
      try DelegatedAccounts.pinRelayNodeKey(WillingRelay.url, nodeKey: AccountFixture.id(4), store: env.store)
      let listed = await DelegatedAccounts.listDelegatedContexts(session, env: env)
      #expect(listed.count == 14_000)
      DelegatedAccounts.rememberRelay(
        session.account, relayURL: WillingRelay.url, namespaceId: WillingRelay.namespace, store: env.store)
      let later = DelegatedAccounts.readRelayMap(session.account, store: .file(url: url))
      #expect(later.namespaces == [WillingRelay.namespace: WillingRelay.url])
    }
  }
}
