import Foundation
import MeroHTTP
import MeroWire

/// `mero bench`: speed and memory, as ratios of things measured in one run on one machine.
enum BenchCommand {
  static let help = """
    usage: mero bench [--json] [--only NAME]… [--quote FILE --collateral FILE [--at UNIX] [--root FILE]]

    Measures and prints ratios within this run, so that figures of different machines can be compared. Build it in
    release mode for figures that mean something: swift run -c release mero bench

      --json       one JSON object for each benchmark
      --only NAME  only this one; may be given several times
      --quote FILE, --collateral FILE, --at UNIX, --root FILE
                   what quoteVerification checks, in place of a quote made up for it; see mero attest --help
      --help       this text

    \(Benchmark.all().map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, flags: ["--json"], values: QuoteFiles.options.union(["--only"]))
    if arguments.has("--help") {
      Console.line(help)
      return ExitCode.success
    }
    try arguments.refusePositional()
    let benchmarks = Benchmark.all(quote: try QuoteFiles(arguments))
    let wanted = arguments.all("--only")
    for name in wanted where !benchmarks.contains(where: { $0.name == name }) {
      throw UsageError("there is no benchmark “\(name)”")
    }
    #if DEBUG
      Console.error("note: this is a debug build; its figures say little (use -c release)")
    #endif
    for benchmark in benchmarks where wanted.isEmpty || wanted.contains(benchmark.name) {
      let figures = try await benchmark.measure()
      report(benchmark, figures, asJSON: arguments.has("--json"))
    }
    return ExitCode.success
  }

  private static func report(_ benchmark: Benchmark, _ figures: [Figure], asJSON: Bool) {
    if asJSON {
      var object: JSONObject = ["benchmark": .string(benchmark.name)]
      for figure in figures { object[figure.key] = figure.json }
      Console.line(JSONValue.object(object).text)
      return
    }
    Console.line(benchmark.name)
    for figure in figures { Console.line("  \(figure.text)") }
  }
}

/// One thing that is measured.
struct Benchmark: Sendable {
  let name: String
  let summary: String
  let measure: @Sendable () async throws -> [Figure]

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
