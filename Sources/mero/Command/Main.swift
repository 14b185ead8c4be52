import Foundation

/// The `mero` command-line tool.
@main
struct Main {
  static func main() async {
    // A reader that goes away (`mero demo | head -1`) must end a write with an error, not the process.
    signal(SIGPIPE, SIG_IGN)
    let status = await Command.run(Array(CommandLine.arguments.dropFirst()))
    exit(status)
  }
}
