/// A reader that libFuzzer throws bytes at, and what has to hold whatever the bytes are.
struct FuzzTarget: Sendable {
  let name: String
  /// The file in `Dictionaries` with words of the format.
  let dictionary: String?
  /// Inputs to begin with: good ones, and large ones that would show work that grows with the square of the size.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Traps for a finding. What is merely refused is none; an error that escapes is.
  let check: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .quote, .verification, .collateral, .tcb, .der, .certificate, .revocationList, .pemText, .cbor,
    .attestationObject, .json, .eventStream, .frames, .heads, .texts,
    .browserRequest,
    .bundle, .release, .sigstoreRoot,
  ]

  static let largestInput = 64 * 1024
}

/// Stops the program, and so makes a finding, unless `condition` holds.
func hold(_ condition: Bool, _ statement: @autoclosure () -> String) {
  guard condition else { fatalError("does not hold: \(statement())") }
}

/// What comes out of `body`, or nil when it refuses its input with an error of `Refusal`; any other error is a finding.
func unlessRefused<Value, Refusal: Error>(
  _: Refusal.Type, _ body: () throws -> Value
) -> Value? {
  do {
    return try body()
  } catch {
    hold(error is Refusal, "a refusal is a \(Refusal.self), not \(error)")
    return nil
  }
}

/// `count` copies of `unit`, as many as fit an input.
func filled(with unit: some Collection<UInt8>) -> [UInt8] {
  Array(repeatElement(unit, count: FuzzTarget.largestInput / unit.count).joined())
}
