import Foundation
import MeroHTTP
import MeroKitTestSupport

/// Keeps a cluster in a SQLite database, in a folder of its own.
///
///     let keeper = try SQLiteKeeper(folder: "/home/ada/cluster")
///     let cloud = try FakeCloud(keptBy: keeper)
///
/// What was written is there after the process was killed at any moment: each batch is a transaction of the write-ahead
/// log. A machine that loses its power may lose the last moments, never the order or the half of a request.
package final class SQLiteKeeper: ClusterKeeper {
  /// How much is waited for the disk.
  package enum Durability: String, Sendable {
    /// Until the system has it: it survives the process.
    case process = "NORMAL"
    /// Until the disk has it: it survives the machine.
    case machine = "FULL"
  }

  /// The form of the tables. Reading an older one is up to whoever changes them.
  static let version = 1
  /// Says that the file is one of ours: “Mero”.
  private static let mark = 0x4D65_726F

  /// The database's file.
  package let path: String
  /// Where the bytes of files are kept, beside the database.
  package var blobFolder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path + "/blobs" }
  /// Holds the lock; nil once it was given up.
  private let folder: Locked<DataFolder?>
  /// Protects the connection, which is nil once it was closed.
  private let connection: Locked<SQLiteConnection?>
  let notice: KeepingNotice
  /// The file that was opened, by device and number.
  private let opened: FileIdentity?

  /// Opens what is kept in a folder, or makes both.
  ///
  /// - Parameter tell: is told, once, when writing begins to fail, and when it works again; not by whoever writes.
  package init(
    folder path: String, durability: Durability = .process,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(KeepingError) {
    let folder = try DataFolder(path)
    let file = try folder.makeFile("cluster.sqlite")
    self.folder = Locked(folder)
    self.path = file
    notice = KeepingNotice(tell)
    do {
      let connection = try SQLiteConnection(file)
      do {
        try Self.prepare(connection, file, durability)
      } catch {
        connection.keepLogOnClose()
        throw error
      }
      self.connection = Locked(connection)
      opened = FileIdentity(of: file)
    } catch {
      throw Self.plain(error, file)
    }
  }

  /// Ends the work with the file and gives the folder up. Nothing is written any more.
  package func close() {
    connection.withLock { $0 = nil }
    folder.withLock { $0 = nil }
  }

  package func load() throws -> KeptRows {
    try connected { connection in
      var rows = KeptRows()
      try connection.run("SELECT kind, id, value FROM records") { row in
        rows.records[row.text(0), default: [:]][row.text(1)] = row.bytes(2)
      }
      try connection.run("SELECT kind, id, list, place, value FROM pieces") { row in
        let list = KeptList(table: row.text(0), id: row.text(1), name: row.text(2))
        rows.lists[list, default: [:]][row.integer(3)] = row.bytes(4)
      }
      return rows
    }
  }

  package func write(_ changes: [KeptChange]) throws {
    do {
      try connected { connection in
        // SQLite goes on writing into a file that has no name any more, and all of it would be lost with the process.
        guard FileIdentity(of: path) == opened else {
          throw KeepingError.failed(path, reason: "it was removed or replaced while it was in use")
        }
        try connection.transaction {
          for change in changes { try Self.write(change, to: connection) }
        }
      }
      notice.worked("\(path) can be written again")
    } catch {
      notice.failed("\(error)\nno request is answered until it can be written again")
      throw error
    }
  }

  /// Lets the file grow no further than this, as a full disk would.
  func limit(pages: Int) throws {
    try connected { try $0.run("PRAGMA max_page_count = \(pages)") }
  }

  private func connected<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    do {
      return try connection.withLock { connection in
        guard let connection else { throw KeepingError.failed(path, reason: "it is closed") }
        return try body(connection)
      }
    } catch {
      throw Self.plain(error, path)
    }
  }
}

extension SQLiteKeeper {
  /// Checks that the file is one of ours and whole, or makes the tables in an empty one.
  private static func prepare(
    _ connection: SQLiteConnection, _ path: String, _ durability: Durability
  ) throws {
    let version = try connection.number("PRAGMA user_version") ?? 0
    let mark = try connection.number("PRAGMA application_id") ?? 0
    let tables = try connection.number("SELECT count(*) FROM sqlite_master") ?? 0
    let isEmpty = version == 0 && mark == 0 && tables == 0
    guard isEmpty || mark == Self.mark else {
      throw KeepingError.damaged(path, reason: "it is a database of another program")
    }
    guard version <= Self.version else {
      throw KeepingError.newer(path, version: version, known: Self.version)
    }
    if !isEmpty {
      var found = "ok"
      try connection.run("PRAGMA quick_check(1)") { found = $0.text(0) }
      guard found == "ok" else { throw KeepingError.damaged(path, reason: found) }
    }
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.run("PRAGMA synchronous = \(durability.rawValue)")
    guard isEmpty else { return }
    try connection.transaction {
      try connection.run(
        """
        CREATE TABLE records (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id))
        WITHOUT ROWID
        """)
      try connection.run(
        """
        CREATE TABLE pieces (
          kind TEXT NOT NULL, id TEXT NOT NULL, list TEXT NOT NULL, place INTEGER NOT NULL, value BLOB NOT NULL,
          PRIMARY KEY (kind, id, list, place)) WITHOUT ROWID
        """)
      try connection.run("PRAGMA application_id = \(Self.mark)")
      try connection.run("PRAGMA user_version = \(Self.version)")
    }
  }

  private static func write(_ change: KeptChange, to connection: SQLiteConnection) throws {
    switch change {
    case .put(let table, let id, let value):
      try connection.run(
        "INSERT OR REPLACE INTO records (kind, id, value) VALUES (?, ?, ?)",
        [.text(table), .text(id), .json(value)])
    case .delete(let table, let id):
      try connection.run("DELETE FROM records WHERE kind = ? AND id = ?", [.text(table), .text(id)])
      try connection.run("DELETE FROM pieces WHERE kind = ? AND id = ?", [.text(table), .text(id)])
    case .append(let list, let place, let value):
      try connection.run(
        "INSERT INTO pieces (kind, id, list, place, value) VALUES (?, ?, ?, ?, ?)",
        names(of: list) + [.integer(place), .bytes(value)])
    case .dropFirst(let list, let place):
      try connection.run(
        "DELETE FROM pieces WHERE kind = ? AND id = ? AND list = ? AND place < ?",
        names(of: list) + [.integer(place)])
    case .dropLast(let list, let place):
      try connection.run(
        "DELETE FROM pieces WHERE kind = ? AND id = ? AND list = ? AND place >= ?",
        names(of: list) + [.integer(place)])
    }
  }

  private static func names(of list: KeptList) -> [SQLiteConnection.Value] {
    [.text(list.table), .text(list.id), .text(list.name)]
  }

  private static func plain(_ error: any Error, _ path: String) -> KeepingError {
    switch error {
    case let error as KeepingError: return error
    case let failure as SQLiteConnection.Failure where failure.isDamage:
      return .damaged(path, reason: failure.reason)
    case let failure as SQLiteConnection.Failure: return .failed(path, reason: failure.reason)
    default: return .failed(path, reason: "\(error)")
    }
  }
}
