import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

/// Ids and keys that tests of accounts are made with.
enum AccountFixture {
  static func id(_ byte: UInt8) -> String { String(repeating: String(format: "%02x", byte), count: 32) }

  static func keys(_ byte: UInt8 = 0x6D) throws -> DeviceKeys {
    try DeviceKeys(
      signSecret: Data(repeating: byte, count: 32), kemSecret: Data(repeating: byte ^ 1, count: 32))
  }

  /// A credential for `keys`, of the account whose root is made of `root`.
  static func credential(_ keys: DeviceKeys, root: UInt8 = 0x5C) throws -> DeviceCredential {
    let seed = Data(repeating: root, count: 32)
    let unbound = try DeviceCertificates.certify(
      rootSeed: seed, device: id(1), signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey)
    let account = try DeviceCertificates.parse(unbound).account
    let device = try DeviceCertificates.mintDeviceId(
      account: account, nonce: String(repeating: "a1", count: 16))
    return try DeviceCertificates.verify(
      DeviceCertificates.certify(
        rootSeed: seed, device: device, signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey))
  }

  static func session(
    relay: String? = nil, executor: String? = nil, root: UInt8 = 0x5C
  ) throws -> DelegatedSession {
    let keys = try keys()
    let credential = try credential(keys, root: root)
    return DelegatedSession(
      account: credential.account, credential: credential.text, keys: keys, relayUrl: relay,
      executorAccount: executor)
  }
}

@Suite("What an account knows of its relays")
struct RelayMapTests {
  private let account = AccountFixture.id(0xAA)
  private let namespace = AccountFixture.id(0x42)
  private let context = AccountFixture.id(0x11)

  @Test("40 §19 #32: two spellings of a relay that differ by a slash are one")
  func oneOrigin() {
    let store = DelegatedAccountStore.memory()
    DelegatedAccounts.rememberRelay(account, relayURL: "https://r/", namespaceId: namespace, store: store)
    DelegatedAccounts.rememberRelay(account, relayURL: "https://r", contextId: context, store: store)
    let map = DelegatedAccounts.readRelayMap(account, store: store)
    #expect(map == RelayMap(namespaces: [namespace: "https://r"], contexts: [context: "https://r"]))
    #expect(DelegatedAccounts.relayForContext(account, contextId: context, store: store) == "https://r")
    #expect(DelegatedAccounts.relayForContext(account, contextId: namespace, store: store) == nil)
  }

  @Test(
    "40 §19 #33: a record that cannot be read is an empty one",
    arguments: [
      "", "{", "[]", "null", #"{"namespaces":7}"#, #"{"namespaces":{"a":1},"contexts":[]}"#, "\u{0}",
    ])
  func corrupt(text: String) {
    let store = DelegatedAccountStore.memory()
    store.set(text, DelegatedAccounts.Keys.relays(account))
    store.set(text, DelegatedAccounts.Keys.groups(account))
    #expect(DelegatedAccounts.readRelayMap(account, store: store) == RelayMap())
    // And it is written over.
    DelegatedAccounts.rememberRelay(account, relayURL: "https://r", namespaceId: namespace, store: store)
    #expect(DelegatedAccounts.readRelayMap(account, store: store).namespaces == [namespace: "https://r"])
  }

  @Test("40 §19 #34: a store that cannot write keeps what this process learned")
  func failingStore() throws {
    let written = Locked<[String]>([])
    let store = DelegatedAccountStore(
      backing: DelegatedAccountStore.Backing(
        read: { _ in nil }, write: { key, _ in written.withLock { $0.append(key) } }))
    DelegatedAccounts.rememberRelay(account, relayURL: "https://r", namespaceId: namespace, store: store)
    #expect(DelegatedAccounts.readRelayMap(account, store: store).namespaces == [namespace: "https://r"])
    #expect(written.withLock { $0.count } == 1)
  }

  @Test("40 §19 #35: the session's relay comes first, and each comes once")
  func known() throws {
    let session = try AccountFixture.session(relay: "https://r1/")
    let store = DelegatedAccountStore.memory()
    for (number, relay) in ["https://r2", "https://r1", "https://r3/"].enumerated() {
      DelegatedAccounts.rememberRelay(
        session.account, relayURL: relay, namespaceId: AccountFixture.id(UInt8(number)), store: store)
    }
    DelegatedAccounts.rememberRelay(session.account, relayURL: "https://r4", contextId: context, store: store)
    #expect(
      DelegatedAccounts.knownRelays(session, store: store)
        == ["https://r1", "https://r2", "https://r3", "https://r4"])
    #expect(
      DelegatedAccounts.knownRelays(try AccountFixture.session(), store: .memory()) == [])
  }

  @Test(
    "40 §19 #39: a namespace is its own, an unknown group has none, and a subgroup that is remembered has its"
  )
  func groups() throws {
    let session = try AccountFixture.session()
    let store = DelegatedAccountStore.memory()
    let subgroup = AccountFixture.id(0x77)
    DelegatedAccounts.rememberRelay(
      session.account, relayURL: "https://r", namespaceId: namespace, store: store)
    #expect(DelegatedAccounts.namespaceOfGroup(session, groupId: namespace, store: store) == namespace)
    #expect(DelegatedAccounts.namespaceOfGroup(session, groupId: subgroup, store: store) == nil)
    DelegatedAccounts.rememberGroupNamespace(
      session.account, groupId: subgroup.uppercased(), namespaceId: namespace, store: store)
    #expect(DelegatedAccounts.namespaceOfGroup(session, groupId: subgroup, store: store) == namespace)
  }

  @Test("40 §19 #40: the executor goes along to the same relay only, and gives way to another")
  func executor() throws {
    let (old, other) = (AccountFixture.id(0x33), AccountFixture.id(0x34))
    let before = try AccountFixture.session(relay: "https://r", executor: old)
    func carried(_ relay: String?, _ executor: String? = nil) throws -> String? {
      DelegatedAccounts.carryExecutorAccount(
        from: before, to: try AccountFixture.session(relay: relay, executor: executor)
      ).executorAccount
    }
    #expect(try carried("https://r/") == old)
    #expect(try carried("https://elsewhere") == nil)
    #expect(try carried(nil) == nil)
    #expect(try carried("https://r", other) == other)
    #expect(
      DelegatedAccounts.carryExecutorAccount(from: nil, to: try AccountFixture.session(relay: "https://r"))
        .executorAccount == nil)
  }

  @Test("of what a relay lists so much is remembered, and what it lists no more gives way")
  func listingLimit() {
    func ids(_ numbers: Range<Int>) -> [String] { numbers.map { String(format: "%064x", $0) } }
    let limit = RelayMap.listingLimit
    var map = RelayMap(contexts: [context: "https://other"])
    map.take(contexts: ids(0..<limit), of: "https://r")
    map.take(contexts: ids(1..<limit + 1) + [String(repeating: "x", count: 65)], of: "https://r")
    #expect(map.contexts.count == limit + 1)
    #expect(map.contexts[context] == "https://other")
    #expect(map.contexts[ids(0..<1)[0]] == nil)
    map.namespaces[namespace] = "https://other"
    map.take(namespaces: [namespace] + ids(0..<limit + 5), of: "https://r")
    #expect(map.namespaces.count == limit + 1)
    #expect(map.namespaces[namespace] == "https://other")
  }

  @Test("a map that is too large loses contexts, of the relay with the most, and no namespace")
  func sizeLimit() {
    let long = "https://" + String(repeating: "r", count: 400)
    var map = RelayMap(namespaces: [namespace: long], contexts: [context: "https://other"])
    for number in 0..<900 { map.contexts[String(format: "%064x", number)] = long }
    map.fit()
    #expect(map.namespaces == [namespace: long])
    #expect(map.contexts[context] == "https://other")
    #expect(map.contexts.count > 400)
    #expect(map.stored.utf8.count < RelayMap.sizeLimit)
  }

  @Test("what could not be written is written with what comes next")
  func writtenLater() {
    let isFull = Locked(true)
    let kept = Locked<[String: String]>([:])
    let backing = DelegatedAccountStore.Backing(
      read: { key in kept.withLock { $0[key] } },
      write: { key, text in
        guard !isFull.withLock({ $0 }) else { return }
        kept.withLock { $0[key] = text }
      })
    let store = DelegatedAccountStore(backing: backing)
    DelegatedAccounts.rememberRelay(account, relayURL: "https://r", namespaceId: namespace, store: store)
    isFull.withLock { $0 = false }
    DelegatedAccounts.rememberRelay(account, relayURL: "https://r", contextId: context, store: store)
    let later = DelegatedAccounts.readRelayMap(account, store: DelegatedAccountStore(backing: backing))
    #expect(later == RelayMap(namespaces: [namespace: "https://r"], contexts: [context: "https://r"]))
  }

  @Test("many who remember at once lose nothing")
  func concurrent() async throws {
    let store = DelegatedAccountStore.memory()
    let account = account
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          DelegatedAccounts.rememberRelay(
            account, relayURL: "https://r\(number)", namespaceId: AccountFixture.id(UInt8(number)),
            store: store)
        }
      }
    }
    #expect(DelegatedAccounts.readRelayMap(account, store: store).namespaces.count == 100)
  }
}
