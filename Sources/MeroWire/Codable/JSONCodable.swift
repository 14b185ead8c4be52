import Foundation

// With the coders of this module these conformances are never asked: a value is taken over whole. They exist for
// other coders (`JSONEncoder`, property lists), which know numbers only as the types they offer.

extension JSONValue: Codable {
  /// Reads any JSON value. Other decoders than MeroKit's hand numbers over as integers, decimals or doubles, so the
  /// spelling, and what those types cannot hold, is lost there.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: NameKey.self) {
      self = .object(
        JSONObject(
          try container.allKeys.map { ($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) }))
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else {
      self = .number(try container.decode(JSONNumber.self))
    }
  }

  /// Writes the value with the types the encoder offers.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let value): try value.encode(to: encoder)
    case .object(let value): try value.encode(to: encoder)
    }
  }
}

extension JSONObject: Codable {
  /// Reads an object, see `JSONValue`.
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSONValue(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONObject.self, .init(codingPath: decoder.codingPath, debugDescription: "expected an object"))
    }
    self = object
  }

  /// Writes the members in order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NameKey.self)
    for member in members { try container.encode(member.value, forKey: NameKey(stringValue: member.name)) }
  }
}

extension JSONNumber: Codable {
  /// Reads a number as the narrowest type that holds it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else if let value = try? container.decode(UInt64.self) {
      self.init(value)
    } else if let value = try? container.decode(Decimal.self) {
      try self.init(value)
    } else {
      try self.init(try container.decode(Double.self))
    }
  }

  /// Writes the number as the first of `Int64`, `UInt64`, `Decimal` and `Double` that holds it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = int64 {
      try container.encode(value)
    } else if let value = uint64 {
      try container.encode(value)
    } else if let value = decimal {
      try container.encode(value)
    } else if let value = faithful(Double.self) {
      try container.encode(value)
    } else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath, debugDescription: "this encoder's numbers cannot hold the value"))
    }
  }
}
