import Foundation
import MeroHTTP
import MeroKit
import MeroWire

/// A subcommand that was called: its arguments, and what is around it.
protocol ToolInvocation: Sendable {
  var arguments: Arguments { get }
  var surroundings: ToolSurroundings { get }
}

extension ToolInvocation {
  var isJSON: Bool { arguments.has("--json") }

  /// An error that begins with what was typed, so that whoever reads it sees which word does not fit.
  func misuse(_ what: String) -> UsageError {
    guard !arguments.positional.isEmpty else { return UsageError(what) }
    return UsageError("“\(arguments.positional.joined(separator: " "))” does not fit: \(what)")
  }

  /// Why a file cannot be read, in words: Foundation's own are a number.
  func reason(_ error: any Error, _ path: String) -> String {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue { return "it is a folder" }
    if !isThere { return "there is no such file" }
    return FileManager.default.isReadableFile(atPath: path)
      ? error.localizedDescription : "it may not be read by you"
  }

  /// The arguments that are no options, so many of them.
  func positional(_ count: ClosedRange<Int>, _ what: String) throws -> [String] {
    guard count.contains(arguments.positional.count) else { throw UsageError("it takes \(what)") }
    return arguments.positional
  }

  /// Writes a result: a line for people, or an object for machines.
  func report(_ text: @autoclosure () -> String, _ json: @autoclosure () -> JSONObject) {
    surroundings.print(isJSON ? JSONValue.object(json()).text.printableJSON : text().printable)
  }

  /// Writes a value as JSON, whichever way results are asked for.
  func report(_ value: JSONValue, _ json: @autoclosure () -> JSONObject) {
    surroundings.print((isJSON ? JSONValue.object(json()) : value).text.printableJSON)
  }

  /// The bytes of a file, or of the standard input for `-`.
  func contents(of file: String) throws -> Data {
    if file == "-" { return try surroundings.input() }
    do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw ToolError("\(file) cannot be read: \(reason(error, file))")
    }
  }

  /// A JSON value that is an argument; `-` reads it from the standard input.
  func json(_ word: String, _ what: String) throws -> JSONValue {
    let text = word == "-" ? try surroundings.input() : Data(word.utf8)
    do throws(WireError) { return try JSONValue(parsing: text) } catch {
      throw UsageError("\(what) is not JSON: \(error.reason)")
    }
  }

  /// The arguments of a method.
  func methodArguments(_ word: String) throws -> [String: JSONValue] {
    guard let object = try json(word, "what follows the method").objectValue else {
      throw UsageError("the arguments of the method are a JSON object")
    }
    return Dictionary(object.map { ($0.0, $0.1) }, uniquingKeysWith: { $1 })
  }

  /// How long an invitation is good, in seconds.
  func validity() throws -> UInt64? {
    guard let text = arguments.value("--valid-for") else { return nil }
    guard let seconds = UInt64(text), (1...86_400).contains(seconds) else {
      throw UsageError("--valid-for takes a number of seconds from 1 to 86400")
    }
    return seconds
  }

  /// Does work that Ctrl-C ends; nil when it did.
  func untilInterrupted<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    let interrupted = surroundings.interrupted
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        await interrupted()
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { return nil }
      return first
    }
  }
}

/// Addresses as people type them.
enum TypedAddress {
  /// Without a scheme it is `https`, and `http` on this machine (10 §7).
  ///
  /// - Parameter whose: begins the sentence that refuses it, such as `a node's`.
  static func url(_ typed: String, whose: String) throws -> URL {
    var text = typed.trimmingCharacters(in: .whitespaces)
    if !text.contains("://") {
      let host = URL(string: "http://\(text)")?.host ?? ""
      text = (Loopback.isLoopback(host: host) ? "http://" : "https://") + text
    }
    guard NodeOrigin(text) != nil, let url = URL(string: text), url.user == nil, url.password == nil,
      url.query == nil, url.fragment == nil
    else { throw UsageError("\(whose) address is one like https://node.example, not “\(typed)”") }
    return url
  }
}
