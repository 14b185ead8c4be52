import Foundation

/// `Codable` to and from JSON without passing any number through floating point (70 §2.3).
package enum ExactJSON {
  /// Reads JSON and makes a value of it.
  ///
  /// - Throws: `WireError` with the path of what does not fit; what a type's own initialiser throws passes through.
  package static func decode<T: Decodable>(
    _ type: T.Type, from data: Data, lossyDoubles: Bool = false
  ) throws -> T {
    try JSONValue(parsing: data).decode(type, lossyDoubles: lossyDoubles)
  }

  /// Writes a value as compact JSON.
  ///
  /// - Throws: `WireError` with the path of what JSON cannot hold.
  package static func encode<T: Encodable>(_ value: T) throws -> Data {
    try JSONValue(encoding: value).data()
  }
}

extension JSONValue {
  /// Makes a JSON value of an `Encodable` one. Numbers keep every digit.
  ///
  /// A `Decimal` becomes a number, `Data` base64 and `URL` its text; all other types encode as they say themselves.
  ///
  /// - Throws: `WireError` with the path of a number that is not finite, or of a value more than 512 levels deep;
  ///   what a type's own `encode(to:)` throws passes through.
  public init<T: Encodable>(encoding value: T) throws {
    do {
      self = try ExactEncoder(parent: nil, key: .top).json(of: value, at: .top)
    } catch let error as EncodingError {
      throw WireError(error)
    }
  }

  /// Makes a value of a `Decodable` type. Numbers keep every digit, or are refused.
  ///
  /// An integer property accepts any spelling of an integer (`1.0`, `1e2`) and refuses a fraction or an overflow.
  /// A floating-point property takes the nearest value, but refuses an integer that would change by it.
  ///
  /// - Parameter lossyDoubles: lets floating-point properties take the nearest value of such integers too.
  /// - Throws: `WireError` with the path of what does not fit; what a type's own initialiser throws passes through.
  public func decode<T: Decodable>(_ type: T.Type = T.self, lossyDoubles: Bool = false) throws -> T {
    let decoder = ExactDecoder(value: self, parent: nil, key: .top, lossyDoubles: lossyDoubles)
    do {
      return try decoder.decode(type)
    } catch let error as DecodingError {
      throw WireError(error)
    }
  }
}

extension WireError {
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init("a value is missing", context.codingPath + [key], nil)
    case .valueNotFound(_, let context):
      self.init("a value is null or missing", context.codingPath, context.underlyingError)
    case .typeMismatch(_, let context):
      self.init("the value has another type", context.codingPath, context.underlyingError)
    case .dataCorrupted(let context):
      self.init("the value is not one this type accepts", context.codingPath, context.underlyingError)
    @unknown default:
      self.init(format: "json", reason: "the value does not fit its type")
    }
  }

  init(_ error: EncodingError) {
    guard case .invalidValue(_, let context) = error else {
      self.init(format: "json", reason: "the value cannot be written as JSON")
      return
    }
    self.init("the value cannot be written as JSON", context.codingPath, context.underlyingError)
  }

  /// Others' descriptions may quote the value, which may be a secret; only reasons of our own are passed on.
  private init(_ reason: String, _ path: [any CodingKey], _ underlying: (any Error)?) {
    self.init(
      format: "json", reason: (underlying as? WireError)?.reason ?? reason, path: CodingStep.text(of: path))
  }
}
