import Foundation

/// Asks for a secret on a terminal, which does not show what is typed.
struct SecretPrompt {
  private static let longest = 1_024

  /// The terminal; nil opens the one the process is run from.
  var descriptor: Int32?

  /// The line that is typed. Throws when it is broken off with Ctrl-C or Ctrl-D.
  func ask(_ prompt: String) throws -> String {
    guard let descriptor else {
      let opened = open("/dev/tty", O_RDWR | O_CLOEXEC)
      guard opened >= 0 else {
        throw ToolError("there is no terminal to ask for the password; use --password-file")
      }
      defer { close(opened) }
      return try SecretPrompt(descriptor: opened).ask(prompt)
    }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else {
      throw ToolError("the terminal cannot be told not to show the password; use --password-file")
    }
    var silent = before
    // Without signals too: one that ended the process now would leave the terminal mute.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    withUnsafeMutableBytes(of: &silent.c_cc) { characters in
      // Each byte as it is typed, however long that takes.
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
      throw ToolError("the terminal cannot be told not to show the password; use --password-file")
    }
    defer {
      tcsetattr(descriptor, TCSAFLUSH, &before)
      show("\n", on: descriptor)
    }
    show(prompt, on: descriptor)
    return try line(from: descriptor)
  }

  private func line(from descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 3, byte != 4 else { throw ToolError("no password was given") }
      switch byte {
      case 10, 13:
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw ToolError("the password is not text in UTF-8")
        }
        return text
      case 8, 127:
        // A character may have several bytes; the first of them is no continuation.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      case 21: bytes = []
      default: if bytes.count < Self.longest { bytes.append(byte) }
      }
    }
  }

  private func show(_ text: String, on descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
