import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@testable import LocalCluster

@Suite("SQLiteKeeper")
struct SQLiteKeeperTests {
  /// A folder that is gone with the test.
  private final class Folder {
    let path = NSTemporaryDirectory() + "merokit-\(UUID().uuidString)"
    var file: String { "\(path)/cluster.sqlite" }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func list(_ name: String, of id: String = "r") -> KeptList {
    KeptList(table: "t", id: id, name: name)
  }

  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  private func refusal(_ folder: Folder) -> KeepingError? {
    do {
      _ = try SQLiteKeeper(folder: folder.path).load()
      return nil
    } catch { return error as? KeepingError }
  }

  @Test(
    "what was written is read again, in every form: rows, lists, bytes, texts with quotes and NULs, nothing at all"
  )
  func roundTrip() throws {
    let folder = Folder()
    var keeper = try SQLiteKeeper(folder: folder.path)
    #expect(try keeper.load().isEmpty)
    let odd = "o'd\u{0} \"ü\" 🦉; DROP TABLE records"
    try keeper.write([
      .put(table: "t", id: odd, Data("{}".utf8)), .put(table: "t", id: "r", Data("1".utf8)),
      .put(table: "t", id: "r", Data("2".utf8)), .put(table: "t", id: "gone", Data("3".utf8)),
      .append(Self.list("l", of: "gone"), at: 0, Data([1])), .delete(table: "t", id: "gone"),
      .append(Self.list("l"), at: 0, Data()), .append(Self.list("l"), at: 1, Data([0, 255, 0])),
      .append(Self.list("l"), at: 2, Data([2])), .append(Self.list("l"), at: 3, Data([3])),
      .dropFirst(Self.list("l"), before: 1), .dropLast(Self.list("l"), from: 3),
      .append(Self.list("m"), at: 0, Data([9])), .dropLast(Self.list("m"), from: 0),
    ])
    for _ in 0..<2 {
      let rows = try keeper.load()
      #expect(rows.records == ["t": [odd: Data("{}".utf8), "r": Data("2".utf8)]])
      #expect(rows.lists == [Self.list("l"): [1: Data([0, 255, 0]), 2: Data([2])]])
      keeper.close()
      keeper = try SQLiteKeeper(folder: folder.path)
    }
  }

  @Test("a file that was removed or replaced is not written to any more, since nobody would find it again")
  func removed() throws {
    let folder = Folder()
    let row = KeptChange.put(table: "t", id: "r", Data("1".utf8))
    let keeper = try SQLiteKeeper(folder: folder.path)
    try keeper.write([row])
    try FileManager.default.moveItem(atPath: folder.path, toPath: "\(folder.path)-moved")
    defer { try? FileManager.default.removeItem(atPath: "\(folder.path)-moved") }
    let reason = "it was removed or replaced while it was in use"
    #expect(throws: KeepingError.failed(folder.file, reason: reason)) { try keeper.write([row]) }
    let blobs = FileBlobBytes(folder: keeper.blobFolder)
    #expect(throws: KeepingError.self) { try blobs.put(Data([1]), as: "b") }
    #expect(!FileManager.default.fileExists(atPath: folder.path))

    let other = try SQLiteKeeper(folder: folder.path)
    try other.write([row])
    #expect(throws: KeepingError.failed(folder.file, reason: reason)) { try keeper.write([row]) }
    other.close()
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.moveItem(atPath: "\(folder.path)-moved", toPath: folder.path)
    try keeper.write([row])
    try blobs.put(Data([1]), as: "b")
  }

  @Test("a batch is written whole or not at all")
  func wholeBatches() throws {
    let keeper = try SQLiteKeeper(folder: Folder().path)
    try keeper.write([.append(Self.list("l"), at: 0, Data([1]))])
    // The second place is taken, so the first change must not stay either.
    #expect(throws: KeepingError.self) {
      try keeper.write([
        .put(table: "t", id: "r", Data("1".utf8)), .append(Self.list("l"), at: 0, Data([2])),
      ])
    }
    #expect(try keeper.load().records == [:])
    #expect(try keeper.load().lists == [Self.list("l"): [0: Data([1])]])
  }

  @Test("the folder and its files are their owner's alone")
  func modes() throws {
    let folder = Folder()
    let keeper = try SQLiteKeeper(folder: folder.path)
    try keeper.write([.put(table: "t", id: "r", Data("1".utf8))])
    #expect(try mode(folder.path) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files).isSuperset(of: ["cluster.sqlite", "lock"]))
    for file in files { #expect(try mode("\(folder.path)/\(file)") == 0o600, "\(file)") }
  }

  @Test("a folder belongs to one at a time, and the refusal says to whom")
  func lock() throws {
    let folder = Folder()
    let first = try SQLiteKeeper(folder: folder.path)
    let error = try #require(refusal(folder))
    #expect(error == .inUse(folder.path, process: "\(ProcessInfo.processInfo.processIdentifier)"))
    #expect(error.description.contains(folder.path))
    withExtendedLifetime(first) {}
  }

  @Test("when it is given up, the next may have it")
  func unlock() throws {
    let folder = Folder()
    do { _ = try SQLiteKeeper(folder: folder.path) }
    #expect(refusal(folder) == nil)
  }

  @Test("a newer file and another program's are refused by name and left as they are")
  func foreign() throws {
    let folder = Folder()
    do {
      let keeper = try SQLiteKeeper(folder: folder.path)
      try keeper.write([.put(table: "t", id: "r", Data("1".utf8))])
    }
    do { try SQLiteConnection(folder.file).run("PRAGMA user_version = 7") }
    #expect(refusal(folder) == .newer(folder.file, version: 7, known: SQLiteKeeper.version))
    do { try SQLiteConnection(folder.file).run("PRAGMA application_id = 1") }
    let error = try #require(refusal(folder))
    #expect(error.description.contains(folder.file) && error.description.contains("another program"))
    let rows = Locked(0)
    try SQLiteConnection(folder.file).run("SELECT count(*) FROM records") { row in
      rows.withLock { $0 = row.integer(0) }
    }
    #expect(rows.withLock { $0 } == 1)
  }

  @Test(
    "a damaged file is refused by name, and no byte of it is changed",
    arguments: ["noise", "short", "page", "index"])
  func damaged(_ kind: String) throws {
    let folder = Folder()
    do {
      let keeper = try SQLiteKeeper(folder: folder.path)
      try keeper.write((0..<2000).map { .put(table: "t", id: "row \($0)", Data("{\"n\":\($0)}".utf8)) })
      keeper.close()
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    try #require(bytes.count > 40_000)
    switch kind {
    case "noise": bytes = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) })
    case "short": bytes = bytes.prefix(20_000)
    // The head of the second page and those of some later ones.
    case "page": bytes.replaceSubrange(4096..<4196, with: Data(repeating: 0xAB, count: 100))
    default:
      for page in 2..<8 {
        bytes.replaceSubrange(page * 4096..<page * 4096 + 8, with: Data(repeating: 0, count: 8))
      }
    }
    try bytes.write(to: URL(fileURLWithPath: folder.file))
    let error = try #require(refusal(folder))
    guard case .damaged(folder.file, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(error.description.contains(folder.file))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == bytes)
  }

  @Test("what is no folder, or one nobody may write to, is refused by name")
  func noFolder() throws {
    let folder = Folder()
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let error = try #require(refusal(folder))
    #expect(error == .folder(folder.path, reason: "it is a file"))
    // Root may write anywhere, so the test takes a place where nobody may.
    let other = "/dev/null/cluster"
    #expect(throws: KeepingError.self) { try SQLiteKeeper(folder: other) }
  }

  @Test("a file in a folder of which only reading is allowed is refused", .enabled(if: getuid() != 0))
  func readOnly() throws {
    let folder = Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o500])
    let error = try #require(refusal(folder))
    guard case .folder(folder.path, _) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test("a full disk is said once, takes nothing back that was written, and is over when there is room again")
  func fullDisk() throws {
    let said = Locked<[String]>([])
    let folder = Folder()
    let keeper = try SQLiteKeeper(folder: folder.path) { text in said.withLock { $0.append(text) } }
    try keeper.write([.put(table: "t", id: "r", Data("1".utf8))])
    try keeper.limit(pages: 1)
    let large: [KeptChange] = [
      .put(table: "t", id: "r", Data("2".utf8)),
      .append(Self.list("l"), at: 0, Data(repeating: 1, count: 1 << 20)),
    ]
    for _ in 0..<3 { #expect(throws: KeepingError.self) { try keeper.write(large) } }
    #expect(try keeper.load().records == ["t": ["r": Data("1".utf8)]])
    keeper.notice.settle()
    #expect(said.withLock { $0.count } == 1)
    #expect(said.withLock { $0[0] }.contains(folder.file))
    try keeper.limit(pages: 100_000)
    try keeper.write(large)
    #expect(try keeper.load().records == ["t": ["r": Data("2".utf8)]])
    keeper.notice.settle()
    #expect(said.withLock { $0.count } == 2)
  }

  @Test("a console that does not take what it is told stops nobody")
  func blockedConsole() throws {
    let (gate, results) = (DispatchSemaphore(value: 0), Locked<[Bool]>([]))
    let folder = Folder()
    let keeper = try SQLiteKeeper(folder: folder.path) { _ in
      let wasOpened = gate.wait(timeout: .now() + 20) == .success
      results.withLock { $0.append(wasOpened) }
    }
    let cloud = try FakeCloud(keptBy: keeper, nodes: 1)
    try keeper.limit(pages: 1)
    // Neither the change that cannot be written nor whoever comes after it waits.
    cloud.admit(invite: String(repeating: "x", count: 1 << 20))
    cloud.setSignup(.invite)
    gate.signal()
    keeper.notice.settle()
    #expect(results.withLock { $0 } == [true])
  }

  @Test("files that cannot be written are told of once, and once that they can be again")
  func fullFolder() throws {
    let said = Locked<[String]>([])
    let folder = Folder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let place = "\(folder.path)/blobs"
    // Something else has the folder's name.
    #expect(FileManager.default.createFile(atPath: place, contents: Data()))
    let bytes = FileBlobBytes(folder: place) { text in said.withLock { $0.append(text) } }
    for _ in 0..<3 { #expect(throws: KeepingError.self) { try bytes.put(Data([1]), as: "a") } }
    bytes.notice.settle()
    #expect(said.withLock { $0.count } == 1)
    try FileManager.default.removeItem(atPath: place)
    for _ in 0..<2 { try bytes.put(Data([2]), as: "a") }
    bytes.notice.settle()
    #expect(said.withLock { $0 }.last?.contains(place) == true)
    #expect(said.withLock { $0.count } == 2)
    #expect(try bytes.get("a", 0..<1) == Data([2]))
  }

  @Test(
    "a cluster in a database goes on in another process's cluster: sign-up, organization, app, calls and events"
  )
  func cluster() async throws {
    let folder = Folder()
    let store = MemorySessionStore()
    func client(_ cloud: FakeCloud) -> CalimeroClient {
      CalimeroClient(
        CalimeroClientOptions(
          baseUrl: cloud.urls[0], policy: .development, sessionStore: store, transport: cloud.transport))
    }
    let app: String
    do {
      let keeper = try SQLiteKeeper(folder: folder.path)
      defer { keeper.close() }
      let cloud = try FakeCloud(keptBy: keeper)
      let ada = client(cloud)
      try await ada.signUp(SoftPasskey(), name: "ada")
      let org = try await ada.orgs.create(name: "Acme").orgId
      app = try await ada.apps.create(name: "chat", package: "com.calimero.chat", org: org).appId
      for text in ["one", "two"] {
        _ = try await ada.call(app, "send_message", ["message": .string(text)])
      }
      await ada.close()
    }
    let cloud = try FakeCloud(keptBy: SQLiteKeeper(folder: folder.path))
    let ada = client(cloud)
    let view = try await ada.view(app, "get_messages")
    #expect(view["messages"]?.arrayValue?.map { $0["text"]?.stringValue } == ["one", "two"])
    #expect(try await ada.apps.eventList(app: app, cursor: "oldest").events.count == 2)
    await ada.close()
  }
}
