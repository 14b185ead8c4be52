/// Decodes from one JSON value. Each decoder knows the one it came from, so that paths cost nothing until one is
/// asked for.
final class ExactDecoder: Decoder {
  let value: JSONValue
  let lossyDoubles: Bool
  private let parent: ExactDecoder?
  private let key: CodingStep

  init(value: JSONValue, parent: ExactDecoder?, key: CodingStep, lossyDoubles: Bool) {
    self.value = value
    self.parent = parent
    self.key = key
    self.lossyDoubles = lossyDoubles
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var decoder: ExactDecoder? = self
    while let step = decoder {
      if let key = step.key.key { path.append(key) }
      decoder = step.parent
    }
    return path.reversed()
  }

  /// The decoder of a value inside this one.
  func child(_ value: JSONValue, at key: CodingStep) -> ExactDecoder {
    ExactDecoder(value: value, parent: self, key: key, lossyDoubles: lossyDoubles)
  }

  /// A value inside this one as a `T`.
  func decode<T: Decodable>(_ type: T.Type, of value: JSONValue, at key: CodingStep) throws -> T {
    if let scalar = type as? any ExactScalar.Type {
      do {
        if let result = try scalar.init(exactly: value, lossyDoubles: lossyDoubles) as? T { return result }
      } catch {
        throw child(value, at: key).mismatch(type, error)
      }
    }
    let decoder = child(value, at: key)
    do {
      return try T(from: decoder)
    } catch let error as WireError where error.path == nil {
      // A reader of one string knows what is wrong with it; where it stands is known here.
      throw WireError(
        format: error.format, reason: error.reason, path: CodingStep.text(of: decoder.codingPath))
    }
  }

  func mismatch(_ type: Any.Type, _ error: WireError) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: error.reason, underlyingError: error)
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else {
      throw mismatch([String: Any].self, value.isNot("an object"))
    }
    return KeyedDecodingContainer(ExactKeyedDecoding(decoder: self, object: object))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self, value.isNot("an array")) }
    return ExactUnkeyedDecoding(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ExactDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decode(type, of: value, at: .top)
  }
}

struct ExactKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ExactDecoder
  let object: JSONObject

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.decode(type, of: value(key), at: .name(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.child(value(key), at: .name(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.child(value(key), at: .name(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    let key = NameKey.superclass
    return decoder.child(object[key.stringValue] ?? .null, at: .name(key))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.child(object[key.stringValue] ?? .null, at: .name(key))
  }

  private func value(_ key: Key) throws -> JSONValue {
    guard let value = object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: decoder.codingPath, debugDescription: "a value is missing"))
    }
    return value
  }
}

struct ExactUnkeyedDecoding: UnkeyedDecodingContainer {
  let decoder: ExactDecoder
  let elements: [JSONValue]
  private(set) var currentIndex = 0

  init(decoder: ExactDecoder, elements: [JSONValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try next().isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let result = try decoder.decode(type, of: next(), at: .index(currentIndex))
    currentIndex += 1
    return result
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try child().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try child().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try child()
    currentIndex += 1
    return decoder
  }

  private func child() throws -> ExactDecoder {
    try decoder.child(next(), at: .index(currentIndex))
  }

  private func next() throws -> JSONValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        .init(
          codingPath: codingPath + [IndexKey(index: currentIndex)], debugDescription: "the array has ended"))
    }
    return elements[currentIndex]
  }
}
