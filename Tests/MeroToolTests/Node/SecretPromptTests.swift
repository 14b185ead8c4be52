import Foundation
import Testing

@testable import mero

@Suite("Asking for a secret on a terminal")
struct SecretPromptTests {
  /// A terminal of which both ends are here: the person's, and the program's.
  private final class PseudoTerminal: Sendable {
    let person: Int32
    let program: Int32

    /// `int openpty(int *, int *, char *, const struct termios *, const struct winsize *)`, which the module of the C
    /// library leaves out.
    private typealias Open =
      @convention(c) (
        UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
        UnsafeRawPointer?, UnsafeRawPointer?
      ) -> Int32

    init() throws {
      let symbol = try #require(dlsym(nil, "openpty"))
      var (person, program): (Int32, Int32) = (-1, -1)
      let status = unsafeBitCast(symbol, to: Open.self)(&person, &program, nil, nil, nil)
      try #require(status == 0)
      self.person = person
      self.program = program
    }

    deinit {
      close(program)
      close(person)
    }

    var isEchoing: Bool {
      var state = termios()
      return tcgetattr(program, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
    }

    /// What was written to the person until `end` came.
    func shown(until end: String) -> String {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 256)
      // Not characters: a return and a line feed are one, which ends with neither.
      while !text.utf8.reversed().starts(with: end.utf8.reversed()) {
        let count = read(person, &buffer, buffer.count)
        guard count > 0 else { break }
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text
    }

    func type(_ bytes: [UInt8]) { _ = write(person, bytes, bytes.count) }
  }

  /// Types this after the prompt and answers what was read, and all that was shown. Both ends block, so each has a thread
  /// of its own and none of Swift concurrency's.
  private func ask(_ typed: [UInt8]) async throws -> (result: Result<String, any Error>, shown: String) {
    let terminal = try PseudoTerminal()
    let (results, continuation) = AsyncStream.makeStream(of: Result<String, any Error>.self)
    Thread.detachNewThread {
      continuation.yield(Result { try SecretPrompt(descriptor: terminal.program).ask("Password: ") })
      continuation.finish()
    }
    let shown = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var shown = terminal.shown(until: "Password: ")
        terminal.type(typed)
        shown += terminal.shown(until: "\n")
        continuation.resume(returning: shown)
      }
    }
    var iterator = results.makeAsyncIterator()
    let result = try #require(await iterator.next())
    #expect(terminal.isEchoing)
    return (result, shown)
  }

  @Test("what is typed is read and not shown, and afterwards the terminal shows what is typed again")
  func silent() async throws {
    let (result, shown) = try await ask(Array("gehe\u{e9}imm\u{7F}!\r".utf8))
    #expect(try result.get() == "gehe\u{e9}im!")
    #expect(!shown.contains("gehe"))
  }

  @Test("a character of several bytes is erased whole, and a line is erased at once")
  func erasing() async throws {
    #expect(try await ask(Array("a\u{20AC}\u{7F}b\n".utf8)).result.get() == "ab")
    #expect(try await ask(Array("wrong\u{15}right\n".utf8)).result.get() == "right")
  }

  @Test("Ctrl-C and Ctrl-D break it off", arguments: [3, 4] as [UInt8])
  func brokenOff(_ byte: UInt8) async throws {
    let result = try await ask(Array("half".utf8) + [byte]).result
    #expect(throws: ToolError.self) { try result.get() }
  }

  @Test("a file is no terminal")
  func noTerminal() {
    #expect(throws: ToolError.self) { try SecretPrompt(descriptor: -1).ask("Password: ") }
  }
}
