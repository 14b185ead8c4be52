import Foundation
import MeroKit

/// One subcommand: its name, what its line in the help says, and what runs it.
struct Command: Sendable {
  let name: String
  let summary: String
  let run: @Sendable ([String]) async throws -> Int32

  static let all: [Command] =
    [
      Command(name: "demo", summary: "Walk the whole journey on a local cluster and narrate it") {
        try await DemoCommand.run($0)
      },
      Command(
        name: "local",
        summary: "Serve a cluster, a single node, and relays with a cloud for accounts, until Ctrl-C"
      ) {
        try await LocalCommand.run($0)
      },
      Command(
        name: "node", summary: "Use a single node: log in, call methods, follow events, invite, move files"
      ) {
        await NodeCommand.run($0)
      },
      Command(
        name: "account", summary: "Use an account without a node: sign in, found, invite, join, call methods"
      ) {
        await AccountCommand.run($0)
      },
    ]
    + ClusterSubcommand.all.map { command in
      Command(name: command.name, summary: command.summary) { await command.run($0) }
    } + [
      Command(name: "attest", summary: "Check a node's attestation, or a quote in files, step by step") {
        try await AttestCommand.run($0)
      },
      Command(name: "conformance", summary: "Check this build against files of test vectors") {
        await ConformanceCommand.run($0)
      },
      Command(name: "bench", summary: "Measure speed and memory, in ratios within one run, against aims") {
        try await BenchCommand.run($0)
      },
    ]

  /// Runs the subcommand that the arguments name and answers the exit code: 0 when it did what was asked,
  /// 1 when the work failed, 2 when the arguments do not fit.
  static func run(_ arguments: [String]) async -> Int32 {
    guard let name = arguments.first else {
      Console.error("mero: a subcommand is missing\n\n\(help)")
      return ExitCode.usage
    }
    switch name {
    case "help" where all.contains { $0.name == arguments.dropFirst().first }:
      return await run([arguments[1], "--help"])
    case "help", "--help", "-h":
      Console.line(help)
      return ExitCode.success
    case "--version", "version":
      Console.line("mero \(CalimeroClient.version)")
      return ExitCode.success
    default:
      break
    }
    guard let command = all.first(where: { $0.name == name }) else {
      Console.error("mero: there is no subcommand “\(name)”\n\n\(help)")
      return ExitCode.usage
    }
    do {
      return try await command.run(Array(arguments.dropFirst()))
    } catch let error as UsageError {
      Console.error("mero \(name): \(error.text)\nSee: mero \(name) --help")
      return ExitCode.usage
    } catch {
      Console.error("mero \(name): \(error)")
      return ExitCode.failure
    }
  }

  static var help: String {
    let width = all.map(\.name.count).max() ?? 0
    let lines = all.map {
      "  \($0.name.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.summary)"
    }
    return """
      mero: the command-line tool of MeroKit

      usage: mero SUBCOMMAND [OPTIONS]

      \(lines.joined(separator: "\n"))

      Each subcommand explains itself: mero SUBCOMMAND --help
      """
  }
}

/// What the tool's exit codes mean. ``ClusterSubcommand/exitCode(_:)`` has those of a cluster's refusals.
enum ExitCode {
  static let success: Int32 = 0
  static let failure: Int32 = 1
  static let usage: Int32 = 2
  /// No node could be reached, none answered what only reads, or all are busy.
  static let unreachable: Int32 = 5
  /// No node could be trusted.
  static let untrusted: Int32 = 7
  /// Ctrl-C ended what was to be done whole, as shells number it.
  static let interrupted: Int32 = 130
}
