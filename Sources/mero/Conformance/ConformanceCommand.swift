import Foundation
import MeroWire

/// `mero conformance FILE…`: compares this build with files of test vectors.
struct ConformanceCommand {
  static let help = """
    usage: mero conformance FILE...

    Runs every case of the given vector files against this build. A file's format is
    recognised by its content. Prints each failure and ends with the counts; the exit
    code is 0 only when every case of every file passed.
    """

  /// Answers the exit code: 0 when everything passed, 1 when something failed, 2 when no file was named.
  static func run(_ arguments: [String]) async -> Int32 {
    if arguments == ["--help"] || arguments == ["-h"] {
      print(help)
      return 0
    }
    guard !arguments.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }) else {
      print(help)
      return 2
    }
    let run = await runConformance(files: arguments)
    for failure in run.failed { print("FAIL \(failure.name): \(failure.reason)") }
    print("\(run.passed) passed, \(run.failed.count) failed")
    return run.failed.isEmpty && run.passed > 0 ? 0 : 1
  }
}

/// Runs every case of every file. A file that cannot be read, or whose format nobody knows, is a failure.
package func runConformance(files: [String]) async -> ConformanceRun {
  var run = ConformanceRun()
  for file in files {
    let name = URL(fileURLWithPath: file).lastPathComponent
    guard let content = FileManager.default.contents(atPath: file) else {
      await run.check(name) { throw Mismatch("the file cannot be read") }
      continue
    }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    await runConformance(content: content, name: name, folder: folder, into: &run)
  }
  return run
}

/// - Parameter folder: where files are that this one names; nil when it came from nowhere.
func runConformance(
  content: Data, name: String, folder: URL? = nil, into run: inout ConformanceRun
) async {
  let value: JSONValue
  do {
    value = try JSONValue(parsing: content)
  } catch {
    await run.check(name) { throw Mismatch("the file is not JSON: \(error)") }
    return
  }
  guard let suite = VectorSuite.all.first(where: { $0.recognises(value) }) else {
    await run.check(name) { throw Mismatch("no known format of test vectors") }
    return
  }
  await suite.run(value, name, folder, &run)
}

/// A format of vector files: how to tell it, and what to do with it.
struct VectorSuite: Sendable {
  let recognises: @Sendable (JSONValue) -> Bool
  let run:
    @Sendable (
      _ file: JSONValue, _ name: String, _ folder: URL?, _ run: inout ConformanceRun
    ) async -> Void

  static let all = [sealed, quotes, quotePolicies, releases, nodeProtocol, account]
}
