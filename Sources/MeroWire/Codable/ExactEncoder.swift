/// Encodes into one JSON value, which takes shape here while containers are open. Each encoder knows the one it
/// came from, so that paths cost nothing until one is asked for.
final class ExactEncoder: Encoder {
  /// A value in the making. Containers handed out share it, and may be written to in any order.
  enum Content {
    case nothing
    case value(JSONValue)
    case array([Content])
    case object([(name: String, content: Content)])
    /// An encoder that was handed out, and is asked for its value at the end.
    case encoder(ExactEncoder)
  }

  private var content = Content.nothing
  private let parent: ExactEncoder?
  private let key: CodingStep
  private let depth: Int

  init(parent: ExactEncoder?, key: CodingStep) {
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? -1) + 1
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var encoder: ExactEncoder? = self
    while let step = encoder {
      if let key = step.key.key { path.append(key) }
      encoder = step.parent
    }
    return path.reversed()
  }

  /// The JSON of a value inside this one.
  func json(of value: some Encodable, at key: CodingStep) throws -> JSONValue {
    if let scalar = value as? any ExactScalar {
      do {
        return try scalar.json()
      } catch {
        throw ExactEncoder(parent: self, key: key).refusal(value, error)
      }
    }
    let child = ExactEncoder(parent: self, key: key)
    // The value's own encoding may go on for ever, as in a list that ends in itself.
    guard child.levels >= 0 else { throw child.refusal(value, Self.tooDeep) }
    try value.encode(to: child)
    guard let json = Self.json(child.content, levels: child.levels) else {
      throw child.refusal(value, Self.tooDeep)
    }
    return json
  }

  /// How many levels a value that stands here may have.
  private var levels: Int { JSONReader.maximumDepth + 1 - depth }

  private static let tooDeep = WireError.json("more than \(JSONReader.maximumDepth) levels")

  private func refusal(_ value: Any, _ error: WireError) -> EncodingError {
    .invalidValue(
      value, .init(codingPath: codingPath, debugDescription: error.reason, underlyingError: error))
  }

  private static func json(_ content: Content, levels: Int) -> JSONValue? {
    switch content {
    case .nothing: return .object(JSONObject())
    case .value(let value): return value
    case .encoder(let encoder): return json(encoder.content, levels: levels)
    case .array(let elements):
      guard levels > 0 else { return nil }
      var array: [JSONValue] = []
      array.reserveCapacity(elements.count)
      for element in elements {
        guard let value = json(element, levels: levels - 1) else { return nil }
        array.append(value)
      }
      return .array(array)
    case .object(let members):
      guard levels > 0 else { return nil }
      var object = JSONObject()
      for member in members {
        guard let value = json(member.content, levels: levels - 1) else { return nil }
        object[member.name] = value
      }
      return .object(object)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = content {} else { content = .object([]) }
    return KeyedEncodingContainer(ExactKeyedEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = content {} else { content = .array([]) }
    return ExactUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  fileprivate func append(_ element: Content) {
    guard case .array(var elements) = content else { return }
    content = .nothing  // Gives up the only other reference, so that the append happens in place.
    elements.append(element)
    content = .array(elements)
  }

  fileprivate func append(_ member: Content, named name: String) {
    guard case .object(var members) = content else { return }
    content = .nothing
    members.append((name, member))
    content = .object(members)
  }

  fileprivate var count: Int {
    if case .array(let elements) = content { return elements.count }
    return 0
  }
}

extension ExactEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { content = .value(.null) }

  func encode<T: Encodable>(_ value: T) throws { content = .value(try json(of: value, at: .top)) }
}

struct ExactKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ExactEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws { encoder.append(.value(.null), named: key.stringValue) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    encoder.append(.value(try encoder.json(of: value, at: .name(key))), named: key.stringValue)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    child(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    child(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { child(NameKey.superclass) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { child(key) }

  private func child(_ key: any CodingKey) -> ExactEncoder {
    let child = ExactEncoder(parent: encoder, key: .name(key))
    encoder.append(.encoder(child), named: key.stringValue)
    return child
  }
}

struct ExactUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: ExactEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  mutating func encodeNil() throws { encoder.append(.value(.null)) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    encoder.append(.value(try encoder.json(of: value, at: .index(count))))
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    child().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { child() }

  private func child() -> ExactEncoder {
    let child = ExactEncoder(parent: encoder, key: .index(count))
    encoder.append(.encoder(child))
    return child
  }
}
