import Foundation

/// A JSON number, kept as the text it was written in (70 §2.3).
///
/// `1.0` stays `1.0` and `1e2` stays `1e2`; writing a number that was read writes the same text. Equality and
/// hashing are by value: `1`, `1.0` and `10e-1` are equal, and so are `-0` and `0`.
///
/// ```swift
/// let balance = JSONNumber("340282366920938463463374607431768211455")!
/// balance.int64     // nil: out of range
/// balance.decimal   // nil: 39 digits are more than a Decimal keeps
/// balance.text      // every digit of it
/// ```
public struct JSONNumber: Sendable {
  /// The number as it was written.
  public let text: String

  /// A number in JSON's grammar, or nil when the text is anything else (`01`, `.5`, `+1`, `NaN`, white space).
  public init?(_ text: String) {
    var copy = text
    guard copy.withUTF8({ JSONNumberGrammar.end(in: $0, from: 0) == $0.count && !$0.isEmpty }) else {
      return nil
    }
    self.text = text
  }

  /// An integer of any width.
  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// The shortest text that reads back as the same double.
  ///
  /// - Throws: `WireError` when the value is infinite or not a number.
  public init(_ value: Double) throws(WireError) {
    guard value.isFinite else { throw .json("a number must be finite") }
    text = value.description
  }

  /// The shortest text that reads back as the same float.
  ///
  /// - Throws: `WireError` when the value is infinite or not a number.
  public init(_ value: Float) throws(WireError) {
    guard value.isFinite else { throw .json("a number must be finite") }
    text = value.description
  }

  /// All digits of a decimal.
  ///
  /// - Throws: `WireError` when the value is not a number.
  public init(_ value: Decimal) throws(WireError) {
    guard let number = JSONNumber(value.description) else { throw .json("a number must be finite") }
    self = number
  }

  /// A text the reader has already checked.
  init(checked text: String) {
    self.text = text
  }
}

extension JSONNumber {
  /// The value when it is an integer in range, however it is spelled; else nil.
  public var int64: Int64? { integer() }
  /// The value when it is an integer in range, however it is spelled; else nil.
  public var uint64: UInt64? { integer() }
  /// The value when it is an integer in range, however it is spelled; else nil.
  public var int: Int? { integer() }

  /// The value as an integer of any width up to 128 bits; nil when it is a fraction or out of range.
  public func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    if let value = T(text) { return value }
    return DecimalForm(text).integer()
  }

  /// Whether the value is an integer, of any size and in any spelling (`1.0` and `1e400` are, `1.5` is not).
  public var isExactInteger: Bool { DecimalForm(text).isInteger }

  /// The value when a `Decimal` holds it exactly: at most 38 significant digits and an exponent in its range.
  public var decimal: Decimal? { DecimalForm(text).decimal() }

  /// The nearest double. It may lose digits, and is infinite beyond the largest double.
  public var double: Double { Double(text) ?? .nan }

  /// The nearest floating-point value, unless an integer would change or the value would become infinite.
  ///
  /// An integer is unchanged when it is exactly the value found, or has the very digits that value is written
  /// with: a double of 1e300 is written `1e+300` and must come back.
  func faithful<F: BinaryFloatingPoint & LosslessStringConvertible>(_ type: F.Type) -> F? {
    guard let value = F(text), value.isFinite else { return nil }
    // Below this, integers are exact, and fractions are the caller's to round.
    if value.magnitude < F(sign: .plus, exponent: F.Exponent(F.significandBitCount + 1), significand: 1) {
      return value
    }
    let form = DecimalForm(text)
    let isKept =
      !form.isInteger || form == DecimalForm(value.description)
      || form == DecimalForm(String(format: "%.0f", Double(value)))
    return isKept ? value : nil
  }
}

extension JSONNumber: Hashable {
  /// Whether both have the same value, whatever their spelling.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || DecimalForm(left.text) == DecimalForm(right.text)
  }

  /// Hashes the value, not the spelling.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(DecimalForm(text))
  }
}

extension JSONNumber: CustomStringConvertible, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// The number as it was written.
  public var description: String { text }

  /// An integer literal; larger ones go through `init(_:)`.
  public init(integerLiteral value: Int64) {
    self.init(value)
  }

  /// A floating-point literal, which the compiler reads as a double. One past the largest double is a mistake in
  /// the program and traps.
  public init(floatLiteral value: Double) {
    precondition(value.isFinite, "a JSON number literal must be finite")
    text = value.description
  }
}
