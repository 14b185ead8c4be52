import Foundation

/// A type that our coders read from one JSON value, and write to one, without asking its `Codable` conformance.
protocol ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError)
  func json() throws(WireError) -> JSONValue
}

extension JSONValue {
  /// What the value is, for a sentence such as "expected a string, found null".
  var kind: String {
    switch self {
    case .null: return "null"
    case .bool: return "a Boolean"
    case .number: return "a number"
    case .string: return "a string"
    case .array: return "an array"
    case .object: return "an object"
    }
  }

  func isNot(_ wanted: String) -> WireError {
    .json("expected \(wanted), found \(kind)")
  }
}

extension Bool: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .bool(let value) = json else { throw json.isNot("a Boolean") }
    self = value
  }

  func json() -> JSONValue { .bool(self) }
}

extension String: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .string(let value) = json else { throw json.isNot("a string") }
    self = value
  }

  func json() -> JSONValue { .string(self) }
}

extension FixedWidthInteger {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .number(let number) = json else { throw json.isNot("an integer") }
    guard let value: Self = number.integer() else {
      throw .json(
        number.isExactInteger
          ? "the integer is out of range for \(Self.self)" : "expected an integer, found a fraction")
    }
    self = value
  }

  func json() -> JSONValue { .number(JSONNumber(self)) }
}

extension Int: ExactScalar {}
extension Int8: ExactScalar {}
extension Int16: ExactScalar {}
extension Int32: ExactScalar {}
extension Int64: ExactScalar {}
extension UInt: ExactScalar {}
extension UInt8: ExactScalar {}
extension UInt16: ExactScalar {}
extension UInt32: ExactScalar {}
extension UInt64: ExactScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: ExactScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: ExactScalar {}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .number(let number) = json else { throw json.isNot("a number") }
    if let value = number.faithful(Self.self) {
      self = value
      return
    }
    guard let nearest = Self(number.text), nearest.isFinite else {
      throw .json("the number is too large for \(Self.self)")
    }
    guard lossyDoubles else { throw .json("\(Self.self) would change the integer") }
    self = nearest
  }
}

extension Double: ExactScalar {
  func json() throws(WireError) -> JSONValue { .number(try JSONNumber(self)) }
}

extension Float: ExactScalar {
  func json() throws(WireError) -> JSONValue { .number(try JSONNumber(self)) }
}

extension Decimal: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .number(let number) = json else { throw json.isNot("a number") }
    guard let value = number.decimal else { throw .json("the number has more digits than Decimal keeps") }
    self = value
  }

  func json() throws(WireError) -> JSONValue { .number(try JSONNumber(self)) }
}

extension Data: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .string(let text) = json else { throw json.isNot("a string in base64") }
    guard let value = Data(base64Encoded: text) else { throw .json("the string is not base64") }
    self = value
  }

  func json() -> JSONValue { .string(base64EncodedString()) }
}

extension URL: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .string(let text) = json else { throw json.isNot("a URL") }
    guard let value = URL(string: text) else { throw .json("the string is not a URL") }
    self = value
  }

  func json() -> JSONValue { .string(absoluteString) }
}

extension JSONNumber: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .number(let value) = json else { throw json.isNot("a number") }
    self = value
  }

  func json() -> JSONValue { .number(self) }
}

extension JSONObject: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) throws(WireError) {
    guard case .object(let value) = json else { throw json.isNot("an object") }
    self = value
  }

  func json() -> JSONValue { .object(self) }
}

extension JSONValue: ExactScalar {
  init(exactly json: JSONValue, lossyDoubles: Bool) {
    self = json
  }

  func json() -> JSONValue { self }
}
