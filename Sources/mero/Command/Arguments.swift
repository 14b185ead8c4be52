/// A subcommand's arguments, read against the options it declares.
///
///     let arguments = try Arguments(words, flags: ["--json"], values: ["--port"])
///     if arguments.has("--json") { … }
struct Arguments {
  private(set) var positional: [String] = []
  private var flags: Set<String> = []
  private var values: [String: [String]] = [:]

  /// Reads `--flag`, `--name VALUE` and `--name=VALUE`; `--` ends the options. `--help` is always a flag.
  init(_ words: [String], flags known: Set<String> = [], values named: Set<String> = []) throws {
    let known = known.union(["--help"])
    var words = words[...]
    while let word = words.popFirst() {
      if word == "--" {
        positional += words
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0] == "-h" ? "--help" : parts[0]
      if known.contains(name), parts.count == 1 {
        flags.insert(name)
      } else if named.contains(name) {
        guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
          throw UsageError("\(name) needs a value")
        }
        values[name, default: []].append(value)
      } else {
        throw UsageError("it has no option “\(word)”")
      }
    }
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  func value(_ name: String) -> String? { values[name]?.last }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// A TCP port from 0 (any free one) to 65535.
  func port(_ name: String, default fallback: UInt16) throws -> UInt16 {
    guard let text = value(name) else { return fallback }
    guard let port = UInt16(text) else {
      throw UsageError("\(name) takes a port from 0 to 65535, not “\(text)”")
    }
    return port
  }

  func refusePositional() throws {
    if let first = positional.first { throw UsageError("it takes no “\(first)”") }
  }
}

/// The arguments do not fit the subcommand.
struct UsageError: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
