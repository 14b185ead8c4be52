import Foundation

/// Any JSON value, with numbers and order kept as they were written (70 §2.3).
///
/// ```swift
/// let value = try JSONValue(parsing: #"{"amount": 9007199254740993, "to": ["ann", "bob"]}"#)
/// value["amount"]?.int64      // 9007199254740993, not …992
/// value["to"]?[1]?.stringValue  // "bob"
/// let note: JSONValue = ["title": "Hello", "stars": 5, "draft": false]
/// ```
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, kept as text.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its members in order.
  case object(JSONObject)

  /// An integer of any width.
  public init(_ value: some BinaryInteger) {
    self = .number(JSONNumber(value))
  }
}

extension JSONValue {
  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The flag, when this is one.
  public var boolValue: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  /// The string, when this is one.
  public var stringValue: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// The number, when this is one.
  public var numberValue: JSONNumber? {
    if case .number(let value) = self { return value }
    return nil
  }

  /// The elements, when this is an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The members, when this is an object.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { return value }
    return nil
  }

  /// The integer, when this is a number with an integral value in range.
  public var int64: Int64? { numberValue?.int64 }
  /// The integer, when this is a number with an integral value in range.
  public var uint64: UInt64? { numberValue?.uint64 }
  /// The integer, when this is a number with an integral value in range.
  public var int: Int? { numberValue?.int }
  /// The decimal, when this is a number that a `Decimal` holds exactly.
  public var decimal: Decimal? { numberValue?.decimal }
  /// The nearest double, when this is a number. It may lose digits.
  public var double: Double? { numberValue?.double }

  /// A member of an object; nil when there is none, or this is no object.
  public subscript(name: String) -> JSONValue? { objectValue?[name] }

  /// An element of an array; nil when there is none, or this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, CustomStringConvertible
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A flag.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  /// A double, written with the shortest text that reads back equal.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of equal names the last wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }

  /// The value as JSON text.
  public var description: String { text }
}

extension JSONValue {
  /// Reads one JSON text in UTF-8.
  ///
  /// Refused: anything but JSON's grammar, invalid UTF-8, lone surrogates, a byte-order mark, more than 512
  /// levels. Of members with the same name the last wins.
  public init(parsing data: Data) throws(WireError) {
    // `Data.withUnsafeBytes` rethrows untyped, so the error crosses its closure as a result.
    self = try data.withUnsafeBytes { JSONReader.read($0) }.get()
  }

  /// Reads what ``data()`` wrote, however deep it is: a value that was made may be deeper than one that is taken.
  package init(parsingKept data: Data) throws(WireError) {
    self = try data.withUnsafeBytes { JSONReader.read($0, maximumDepth: .max) }.get()
  }

  /// Reads one JSON text.
  public init(parsing text: String) throws(WireError) {
    var copy = text
    self = try copy.withUTF8 { JSONReader.read(UnsafeRawBufferPointer($0)) }.get()
  }

  /// Reads one JSON text in UTF-8.
  package init(parsing bytes: [UInt8]) throws(WireError) {
    self = try bytes.withUnsafeBytes { JSONReader.read($0) }.get()
  }

  /// Reads one JSON text in UTF-8, in place.
  package init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
    self = try JSONReader.read(bytes).get()
  }

  /// The value as compact JSON in UTF-8: members in their order, numbers in their own text.
  public func data() -> Data { Data(JSONWriter.bytes(of: self)) }

  /// The value as compact JSON text.
  public var text: String { String(decoding: JSONWriter.bytes(of: self), as: UTF8.self) }
}
