/// Encodes into one JSON value, which takes shape in `node` while containers are open.
final class ExactEncoder: Encoder {
  let node = EncodedNode()
  private let parent: ExactEncoder?
  private let key: CodingStep
  private let depth: Int

  init(parent: ExactEncoder?, key: CodingStep) {
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? 0) + 1
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

  /// The JSON of a value that stands where this encoder stands.
  func json(of value: some Encodable) throws -> JSONValue {
    if let scalar = value as? any ExactScalar {
      do {
        return try scalar.json()
      } catch {
        throw refusal(value, error)
      }
    }
    // The value's own encoding may go on for ever, as in a list that ends in itself.
    guard depth <= JSONReader.maximumDepth + 1 else { throw refusal(value, Self.tooDeep) }
    try value.encode(to: self)
    guard let json = node.json(levels: JSONReader.maximumDepth) else { throw refusal(value, Self.tooDeep) }
    return json
  }

  private func refusal(_ value: Any, _ error: WireError) -> EncodingError {
    .invalidValue(
      value, .init(codingPath: codingPath, debugDescription: error.reason, underlyingError: error))
  }

  private static let tooDeep = WireError.json("more than \(JSONReader.maximumDepth) levels")

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(ExactKeyedEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return ExactUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ExactEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { node.content = .value(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    node.content = .value(try ExactEncoder(parent: self, key: .top).json(of: value))
  }
}

/// A JSON value in the making. Containers handed out share it, and may be written to in any order.
final class EncodedNode {
  enum Content {
    case nothing
    case value(JSONValue)
    case array([Content])
    case object([(name: String, content: Content)])
    /// An encoder that was handed out, and is asked for its value at the end.
    case encoder(ExactEncoder)
  }

  var content = Content.nothing

  func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  func becomeObject() {
    if case .object = content { return }
    content = .object([])
  }

  func append(_ element: Content) {
    guard case .array(var elements) = content else { return }
    content = .nothing  // Gives up the only other reference, so that the append happens in place.
    elements.append(element)
    content = .array(elements)
  }

  func append(_ member: Content, named name: String) {
    guard case .object(var members) = content else { return }
    content = .nothing
    members.append((name, member))
    content = .object(members)
  }

  var count: Int {
    if case .array(let elements) = content { return elements.count }
    return 0
  }

  /// The value, or nil when it has more levels than allowed.
  func json(levels: Int) -> JSONValue? { Self.json(content, levels: levels) }

  private static func json(_ content: Content, levels: Int) -> JSONValue? {
    switch content {
    case .nothing: return .object(JSONObject())
    case .value(let value): return value
    case .encoder(let encoder): return encoder.node.json(levels: levels)
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
}

struct ExactKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ExactEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    encoder.node.append(.value(.null), named: key.stringValue)
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let json = try ExactEncoder(parent: encoder, key: .name(key)).json(of: value)
    encoder.node.append(.value(json), named: key.stringValue)
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
    encoder.node.append(.encoder(child), named: key.stringValue)
    return child
  }
}

struct ExactUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: ExactEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  mutating func encodeNil() throws { encoder.node.append(.value(.null)) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let json = try ExactEncoder(parent: encoder, key: .index(count)).json(of: value)
    encoder.node.append(.value(json))
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
    encoder.node.append(.encoder(child))
    return child
  }
}
