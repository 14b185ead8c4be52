import Foundation

/// The `mero` command-line tool.
@main
struct Main {
  static func main() async {
    // A reader that goes away (`mero demo | head -1`) must end a write with an error, not the process.
    signal(SIGPIPE, SIG_IGN)
    let status = await Command.run(Array(CommandLine.arguments.dropFirst()))
    leave(status)
  }
}

/// Ends the process.
///
/// Not by `exit`: it runs the handlers that libraries have left, OpenSSL's among them, which take down what a thread in the
/// background may be verifying or signing with at that moment, and the process ends by a signal in place of its exit code.
/// Nothing of the tool's own waits for the end: files are closed when they are written, and output is not kept back.
func leave(_ status: Int32) -> Never {
  fflush(nil)
  _exit(status)
}
