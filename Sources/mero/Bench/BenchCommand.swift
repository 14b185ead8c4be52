import Foundation
import MeroHTTP
import MeroWire

/// `mero bench`: speed and memory, as ratios of things measured in one run on one machine.
enum BenchCommand {
  static let help = """
    usage: mero bench [--json] [--only NAME]… [--quote FILE --collateral FILE [--at UNIX] [--root FILE]]

    Measures and prints ratios within this run, so that figures of different machines can be compared. Build it in
    release mode for figures that mean something: swift run -c release mero bench

      --json       one JSON object for each benchmark; its “missed” names the figures that miss their aim
      --only NAME  only this one; may be given several times
      --quote FILE, --collateral FILE, --at UNIX, --root FILE
                   what quoteVerification checks, in place of a quote made up for it; see mero attest --help
      --help       this text

    The exit code is 0 when every aim was met, 1 when one was missed or something failed, 2 when the arguments do not fit.

    \(Benchmark.all().map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
    """

  static func run(_ words: [String]) async throws -> Int32 {
    try await run(
      words, benchmarks: { Benchmark.all(quote: $0) }, print: Console.line, tell: Console.error)
  }

  /// - Parameter all: the benchmarks there are, with the quote to verify; nil makes one up.
  static func run(
    _ words: [String], benchmarks all: (QuoteFiles?) -> [Benchmark], print: (String) -> Void,
    tell: (String) -> Void
  ) async throws -> Int32 {
    let arguments = try Arguments(words, flags: ["--json"], values: QuoteFiles.options.union(["--only"]))
    if arguments.has("--help") {
      print(help)
      return ExitCode.success
    }
    try arguments.refusePositional()
    let benchmarks = all(try QuoteFiles(arguments))
    let wanted = arguments.all("--only")
    for name in wanted where !benchmarks.contains(where: { $0.name == name }) {
      throw UsageError("there is no benchmark “\(name)”")
    }
    #if DEBUG
      tell("note: this is a debug build; its figures say little (use -c release)")
    #endif
    var missed: [String] = []
    for benchmark in benchmarks where wanted.isEmpty || wanted.contains(benchmark.name) {
      let figures = try await benchmark.measure()
      if arguments.has("--json") {
        print(benchmark.json(figures).text)
      } else {
        for line in benchmark.lines(figures) { print(line) }
      }
      missed += figures.filter { !$0.meetsAim }.map { "  \(benchmark.name), \($0.text)" }
    }
    guard !missed.isEmpty else { return ExitCode.success }
    tell("mero bench: not every aim was met\n\(missed.joined(separator: "\n"))")
    return ExitCode.failure
  }
}

/// One thing that is measured.
struct Benchmark: Sendable {
  let name: String
  let summary: String
  /// What a reader of its figures should know.
  var remark: String?
  let measure: @Sendable () async throws -> [Figure]

  /// The figures for people.
  func lines(_ figures: [Figure]) -> [String] {
    [name] + figures.map { "  \($0.text)" } + (remark.map { ["  (\($0))"] } ?? [])
  }

  /// The figures for machines, and which of them miss their aim.
  func json(_ figures: [Figure]) -> JSONValue {
    var object: JSONObject = ["benchmark": .string(name)]
    for figure in figures { object[figure.key] = figure.json }
    object["missed"] = .array(figures.filter { !$0.meetsAim }.map { .string($0.key) })
    if let remark { object["remark"] = .string(remark) }
    return .object(object)
  }

  /// - Parameter quote: the quote to verify; nil makes one up.
  static func all(quote: QuoteFiles? = nil) -> [Benchmark] {
    [
      .sealedCall, .sealing, .sealedStream, .sseParser, .exactJSON, .nodeEvents, .warrants, .relayWrites,
      .borsh, .clusterCalls, .clusterEvents, .clusterMemory, .keptCalls,
      .quoteVerification { try quote ?? QuoteFiles.madeUp() },
    ]
  }
}

/// One number of a benchmark, with its unit and, for a ratio, the aim it is held against.
struct Figure: Sendable {
  /// Which side of the aim is good.
  enum Aim: Sendable {
    case atMost(Double)
    case atLeast(Double)
  }

  let key: String
  let value: Double
  let unit: String
  var aim: Aim?

  var meetsAim: Bool {
    switch aim {
    case .atMost(let limit): return value <= limit
    case .atLeast(let limit): return value >= limit
    case nil: return true
    }
  }

  var text: String {
    let number = String(format: value < 10 ? "%.3f" : "%.1f", value)
    let line = "\(key): \(number)\(unit.isEmpty ? "" : " \(unit)")"
    switch aim {
    case .atMost(let limit): return "\(line) (aim: at most \(limit))\(meetsAim ? "" : "  MISSED")"
    case .atLeast(let limit): return "\(line) (aim: at least \(limit))\(meetsAim ? "" : "  MISSED")"
    case nil: return line
    }
  }

  var json: JSONValue {
    let rounded = (value * 1000).rounded() / 1000
    var object: JSONObject = ["value": (try? JSONNumber(rounded)).map(JSONValue.number) ?? .null]
    if !unit.isEmpty { object["unit"] = .string(unit) }
    switch aim {
    case .atMost(let limit): object["aimAtMost"] = (try? JSONNumber(limit)).map(JSONValue.number) ?? .null
    case .atLeast(let limit): object["aimAtLeast"] = (try? JSONNumber(limit)).map(JSONValue.number) ?? .null
    case nil: return .object(object)
    }
    object["met"] = .bool(meetsAim)
    return .object(object)
  }
}
