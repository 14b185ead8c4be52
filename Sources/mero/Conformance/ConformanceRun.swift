/// What came of comparing this build with files of test vectors.
package struct ConformanceRun: Sendable {
  /// A check that did not hold.
  package struct Failure: Sendable, Hashable {
    package let name: String
    package let reason: String
  }

  package private(set) var passed = 0
  package private(set) var failed: [Failure] = []

  /// Whether checks are left out once one has failed, for who only wants to know if any does.
  private let stopsAtFailure: Bool

  package init(stopsAtFailure: Bool = false) {
    self.stopsAtFailure = stopsAtFailure
  }

  /// Runs one check: it passes unless it throws.
  mutating func check(_ name: String, _ body: () async throws -> Void) async {
    if stopsAtFailure, !failed.isEmpty { return }
    do {
      try await body()
      passed += 1
    } catch {
      failed.append(Failure(name: name, reason: "\(error)"))
    }
  }
}

/// A difference between this build and a vector, in words.
struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(Mismatch) {
  guard condition else { throw Mismatch(text()) }
}

/// Requires `actual`, which this build made, to be what the file says.
func require<Value: Equatable>(_ what: String, _ actual: Value, is expected: Value) throws(Mismatch) {
  guard actual == expected else {
    throw Mismatch("\(what) is \(shortened(actual)), the file says \(shortened(expected))")
  }
}

private func shortened(_ value: some Equatable) -> String {
  let text = (value as? [UInt8]).map { hexText($0) } ?? "\(value)"
  return text.count > 140 ? "\(text.prefix(140))…" : text
}
