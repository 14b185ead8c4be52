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
    if reason != EPIPE { error("the result could not be written: \(String(cString: strerror(reason)))") }
    leave(ExitCode.failure)
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
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 || (written < 0 && errno == EINTR) else { return false }
      bytes = bytes.dropFirst(max(0, written))
    }
    return true
  }
}
