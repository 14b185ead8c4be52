import Foundation

/// Where the tool writes: results to standard output, everything about them to standard error.
enum Console {
  /// Writes a whole line at once and at once, so that a reader at the other end of a pipe follows live.
  static func line(_ text: String) {
    write(text + "\n", to: 1)
  }

  static func error(_ text: String) {
    write(text + "\n", to: 2)
  }

  /// Writes to a line of standard error that is drawn again and again.
  static func draw(_ text: String) {
    write(text, to: 2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 || (written < 0 && errno == EINTR) else { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }
}
