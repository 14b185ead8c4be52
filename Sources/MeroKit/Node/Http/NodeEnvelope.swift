import Foundation
import MeroWire

/// Where in an answer the value is (10 §1.4, 20 §1.3).
package enum NodeEnvelope: Sendable {
  /// In `data`, and it must be there.
  case data
  /// In `data`, or nowhere.
  case dataOptional
  /// There is none, whatever `data` says.
  case dataNull
  /// The whole answer.
  case flat
  /// In `data` when there is such a member, else the whole answer: nodes of different ages answer differently.
  case either
  /// There is no body to look at.
  case none
}

/// The answer of a call that returns nothing.
public struct Empty: Codable, Sendable, Hashable {
  /// Nothing.
  public init() {}
  /// Nothing, whatever the answer holds.
  public init(from decoder: any Decoder) {}
}

/// The envelope of most answers: `{"data": …, "error": …}`.
public struct ApiResponse<T> {
  /// The value.
  public let data: T?
  /// Why there is none.
  public let error: String?

  /// An envelope of these parts.
  public init(data: T?, error: String? = nil) {
    self.data = data
    self.error = error
  }
}

extension ApiResponse: Decodable where T: Decodable {}
extension ApiResponse: Encodable where T: Encodable {}
extension ApiResponse: Sendable where T: Sendable {}
extension ApiResponse: Equatable where T: Equatable {}

/// JSON as it is exchanged with a node: numbers keep every digit.
public enum MeroJSON {
  /// Writes a value as compact JSON.
  ///
  /// - Throws: `WireError` with the path of what JSON cannot hold.
  public static func encode<T: Encodable>(_ value: T) throws -> Data { try ExactJSON.encode(value) }

  /// Reads JSON and makes a value of it.
  ///
  /// - Throws: `WireError` with the path of what does not fit.
  public static func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data) throws -> T {
    try ExactJSON.decode(type, from: data)
  }
}

extension NodeEnvelope {
  /// The value in an answer.
  ///
  /// - Throws: ``MeroError/emptyResponse(_:)`` or ``MeroError/decoding(_:)``.
  func value<T: Decodable>(_ type: T.Type, in response: NodeResponse) throws(MeroError) -> T {
    if case .none = self { return try Absence.value(type) }
    guard !response.body.isEmpty else { return try Absence.value(type) }
    let json = try response.json()
    switch self {
    case .data, .dataOptional:
      guard let data = json["data"], !data.isNull else { return try Absence.value(type) }
      return try data.read(type, status: response.status)
    case .either: return try (json["data"] ?? json).read(type, status: response.status)
    case .flat: return try json.read(type, status: response.status)
    case .dataNull, .none: return try Absence.value(type)
    }
  }
}

extension NodeResponse {
  /// The body as JSON.
  ///
  /// - Throws: ``MeroError/decoding(_:)`` with its beginning when it is anything else.
  package func json() throws(MeroError) -> JSONValue {
    do { return try JSONValue(parsing: body) } catch {
      // Bytes that end in the middle of a character are of no interest here.
      let text = Excerpt.of(String(decoding: body.prefix(800), as: UTF8.self))
      throw MeroError.decoding("status \(status): \(text)")
    }
  }
}

extension JSONValue {
  /// This value as a `T`; null as whatever `T` says nothing with.
  package func read<T: Decodable>(_ type: T.Type, status: Int = 200) throws(MeroError) -> T {
    if isNull { return try Absence.value(type) }
    do { return try decode(type) } catch let error as WireError {
      throw .decoding("status \(status): \(error)")
    } catch {
      throw .decoding("status \(status): the value does not fit \(T.self)")
    }
  }
}

/// What a missing value is in the types that can say so.
enum Absence {
  /// What `T` makes of null: nil, `null` or ``Empty``.
  ///
  /// - Throws: ``MeroError/emptyResponse(_:)`` for a type that makes nothing of it.
  static func value<T: Decodable>(_ type: T.Type) throws(MeroError) -> T {
    do { return try JSONValue.null.decode(type) } catch { throw .emptyResponse("a \(T.self)") }
  }
}
