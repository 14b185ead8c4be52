import Foundation
import MeroWire

/// How one value becomes bytes and is read back.
///
/// A node never looks into presence: whatever one client writes, the others read. Clients that are to understand each other
/// use the same codec; ``JSONCodec`` is that of all Calimero SDKs.
///
/// ```swift
/// struct RawCodec: Codec {
///   func encode(_ value: [UInt8]) throws -> [UInt8] { value }
///   func decode(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
/// }
/// ```
public protocol Codec<Value>: Sendable {
  /// What is written and read.
  associatedtype Value: Sendable

  /// The bytes of a value.
  func encode(_ value: Value) throws -> [UInt8]

  /// The value of bytes.
  func decode(_ bytes: [UInt8]) throws -> Value
}

/// JSON text in UTF-8; numbers keep every digit.
public struct JSONCodec<Value: Codable & Sendable>: Codec {
  /// A codec.
  public init() {}

  /// The value as JSON text.
  ///
  /// - Throws: `WireError` for what JSON cannot hold.
  public func encode(_ value: Value) throws -> [UInt8] { [UInt8](try ExactJSON.encode(value)) }

  /// The value of JSON text.
  ///
  /// - Throws: `WireError` for what is no JSON, or of another shape.
  public func decode(_ bytes: [UInt8]) throws -> Value { try JSONValue(parsing: bytes).decode(Value.self) }
}
