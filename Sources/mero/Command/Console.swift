import Foundation

/// Where the tool writes: results to standard output, everything about them to standard error.
enum Console {
  /// Writes a whole line at once and at once, so that a reader at the other end of a pipe follows live.
  ///
  /// A result that cannot be written ends the program with an error: who goes on would say that all went well.
  static func line(_ text: String) {
    guard !write(text + "\n", to: 1) else { return }
    let reason = errno
    // A reader that has gone has seen what it wanted to see, and nobody is to be told.
    if reason != EPIPE {
      error("\(unwritten(reason)). What was asked for was done: look before repeating it.")
    }
    leave(ExitCode.failure)
  }

  /// Writes bytes of a result as they are.
  static func bytes(_ data: Data, to descriptor: Int32 = 1) throws {
    guard write(data, to: descriptor) else { throw ToolError(unwritten(errno)) }
  }

  /// All there is to read.
  static func input(from descriptor: Int32 = 0) throws -> Data {
    var all = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return all }
      if count > 0 {
        all += buffer[..<count]
      } else if errno != EINTR {
        throw ToolError("the standard input cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }

  private static func unwritten(_ reason: Int32) -> String {
    "the result could not be written: \(String(cString: strerror(reason)))"
  }

  static func error(_ text: String) {
    _ = write(text + "\n", to: 2)
  }

  /// Writes to a line of standard error that is drawn again and again.
  static func draw(_ text: String) {
    _ = write(text, to: 2)
  }

  /// Whether all of it was written.
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Data(text.utf8), to: descriptor)
  }

  private static func write(_ data: Data, to descriptor: Int32) -> Bool {
    var rest = data[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 || (written < 0 && errno == EINTR) else { return false }
      rest = rest.dropFirst(max(0, written))
    }
    return true
  }
}
