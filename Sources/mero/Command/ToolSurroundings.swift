import Foundation
import MeroKit

/// What is around a subcommand; tests give it another.
struct ToolSurroundings: Sendable {
  var transport: any HTTPTransport = URLSessionTransport()
  var environment = ProcessInfo.processInfo.environment
  /// Writes a line of the result.
  var print: @Sendable (String) -> Void = { Console.line($0) }
  /// Writes bytes of the result as they are.
  var write: @Sendable (Data) throws -> Void = { try Console.bytes($0) }
  /// Writes a line about it.
  var tell: @Sendable (String) -> Void = { Console.error($0) }
  /// Draws over the line a person looks at; nil where nobody does.
  var draw: (@Sendable (String) -> Void)? = isatty(2) == 1 ? { @Sendable in Console.draw($0) } : nil
  /// All of the standard input.
  var input: @Sendable () throws -> Data = { try Console.input() }
  /// The first line of the standard input, without waiting for more.
  var inputLine: @Sendable () throws -> Data = { Data((readLine(strippingNewline: true) ?? "").utf8) }
  /// Asks a person for a secret; nil where there is nobody to ask.
  var askSecret: (@Sendable (_ prompt: String) throws -> String)? =
    isatty(0) == 1 ? { @Sendable in try SecretPrompt().ask($0) } : nil
  /// Returns when the work is to end early.
  var interrupted: @Sendable () async -> Void = { await InterruptSignal().wait() }
}

extension ToolSurroundings {
  /// Where programs keep a person's data, by the rules of XDG.
  var dataFolder: String { Self.dataFolder(environment) }

  static func dataFolder(_ environment: [String: String]) -> String {
    // A relative XDG_DATA_HOME has to be ignored, by the rule that defines the variable.
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/share"
    return "\(data)/network.calimero.merokit"
  }
}

/// Something went wrong that no server said.
struct ToolError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
