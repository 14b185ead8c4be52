import CSQLite
import Foundation

/// An open SQLite database. One thread at a time.
final class SQLiteConnection {
  /// What SQLite says went wrong.
  struct Failure: Error {
    let code: Int32
    let reason: String

    /// Whether the file is damaged, or is none of SQLite's.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }
  }

  enum Value {
    case integer(Int)
    case text(String)
    /// JSON, which is kept as text so that people can read it.
    case json(Data)
    case bytes(Data)
  }

  private let database: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
    guard let opened else { throw Failure(code: code, reason: "there is no memory to open it") }
    database = opened
    guard code == SQLITE_OK else {
      let failure = Failure(code: code, reason: String(cString: sqlite3_errmsg(opened)))
      sqlite3_close_v2(opened)
      throw failure
    }
    sqlite3_extended_result_codes(database, 1)
    sqlite3_busy_timeout(database, 5000)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  /// Leaves the log beside the file as it is when the connection ends: nothing is written to a file that is damaged.
  func keepLogOnClose() {
    _ = merokit_keep_log_on_close(database)
  }

  /// Runs a statement and hands over each row that it gives.
  func run(_ text: String, _ values: [Value] = [], row: (Row) throws -> Void = { _ in }) throws {
    let statement = try prepared(text)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try check(bind(value, to: statement, Int32(index + 1))) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row(Row(statement: statement))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// The first column of the first row.
  func number(_ text: String) throws -> Int? {
    var number: Int?
    try run(text) { number = number ?? $0.integer(0) }
    return number
  }

  /// Does all of it or nothing.
  func transaction(_ body: () throws -> Void) throws {
    // Immediate: another program that writes is met here, before anything was done.
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // Fails when SQLite took everything back by itself, as for a disk that is full.
      try? run("ROLLBACK")
      throw error
    }
  }

  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// Text or bytes.
    func bytes(_ column: Int32) -> Data {
      guard let start = sqlite3_column_blob(statement, column) else { return Data() }
      return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
  }

  private func prepared(_ text: String) throws -> OpaquePointer {
    if let statement = statements[text] { return statement }
    var made: OpaquePointer?
    try check(sqlite3_prepare_v2(database, text, -1, &made, nil))
    guard let made else { throw Failure(code: SQLITE_ERROR, reason: "there is no statement") }
    statements[text] = made
    return made
  }

  private func bind(_ value: Value, to statement: OpaquePointer, _ index: Int32) -> Int32 {
    switch value {
    case .integer(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          merokit_bind_text(statement, index, $0.baseAddress, Int32($0.count))
        }
      }
    case .json(let data):
      return data.withUnsafeBytes {
        merokit_bind_text(statement, index, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count))
      }
    case .bytes(let data):
      return data.withUnsafeBytes { merokit_bind_blob(statement, index, $0.baseAddress, Int32($0.count)) }
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> Failure {
    Failure(code: code, reason: String(cString: sqlite3_errmsg(database)))
  }
}
