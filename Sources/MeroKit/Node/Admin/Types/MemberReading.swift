// How the types of this folder read members that not every node sends. A member that is null is one that is absent.

extension KeyedDecodingContainer {
  /// A member that has to be there.
  func value<T: Decodable>(_ key: Key) throws -> T { try decode(T.self, forKey: key) }

  /// A member with a value for when it is absent.
  func value<T: Decodable>(_ key: Key, or fallback: T) throws -> T {
    try decodeIfPresent(T.self, forKey: key) ?? fallback
  }

  /// A member that may be absent.
  func optional<T: Decodable>(_ key: Key) throws -> T? { try decodeIfPresent(T.self, forKey: key) }
}
