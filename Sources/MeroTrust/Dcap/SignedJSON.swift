import Foundation
import MeroWire

/// Reads a JSON text that Intel signed, member by member; what is missing or of another form is refused.
struct SignedJSON {
  let object: JSONObject
  let stage: TrustStage
  /// What the object is called in an error.
  let name: String

  /// - Parameter text: already known to be signed.
  init(_ text: String, _ stage: TrustStage, _ name: String) throws(TrustError) {
    guard let object = try? JSONValue(parsing: text).objectValue else {
      throw .refused(stage, "\(name) is not a JSON object")
    }
    self.init(object, stage, name)
  }

  private init(_ object: JSONObject, _ stage: TrustStage, _ name: String) {
    self.object = object
    self.stage = stage
    self.name = name
  }

  func text(_ key: String) throws(TrustError) -> String {
    try read(key) { $0.stringValue }
  }

  func number(_ key: String, upTo limit: Int = .max) throws(TrustError) -> Int {
    try read(key) { value in value.int.flatMap { 0 <= $0 && $0 <= limit ? $0 : nil } }
  }

  /// Hex in either case, of exactly this many bytes.
  func hex(_ key: String, _ count: Int) throws(TrustError) -> [UInt8] {
    try read(key) { value in
      value.stringValue.flatMap { $0.utf8.count == 2 * count ? try? Hex.decode($0, count: count) : nil }
    }
  }

  /// A time such as `2025-06-19T10:16:03Z`.
  func time(_ key: String) throws(TrustError) -> Date {
    try read(key) { $0.stringValue.flatMap(Self.time) }
  }

  /// A list of texts that may be missing.
  func texts(_ key: String) throws(TrustError) -> [String] {
    guard object[key] != nil else { return [] }
    return try read(key) { value in
      let texts = value.arrayValue?.map(\.stringValue)
      return texts.flatMap { $0.contains(nil) ? nil : $0.compactMap { $0 } }
    }
  }

  func child(_ key: String) throws(TrustError) -> SignedJSON {
    SignedJSON(try read(key) { $0.objectValue }, stage, "\(name).\(key)")
  }

  func optionalChild(_ key: String) throws(TrustError) -> SignedJSON? {
    object[key] == nil ? nil : try child(key)
  }

  func children(_ key: String) throws(TrustError) -> [SignedJSON] {
    let label = "\(name).\(key)"
    return try read(key) { value in
      guard let elements = value.arrayValue else { return nil }
      let objects = elements.compactMap(\.objectValue)
      return objects.count == elements.count ? objects.map { SignedJSON($0, stage, label) } : nil
    }
  }

  func read<Value>(_ key: String, _ convert: (JSONValue) -> Value?) throws(TrustError) -> Value {
    guard let value = object[key] else { throw .refused(stage, "\(name) has no \(key)") }
    guard let converted = convert(value) else { throw .refused(stage, "\(name).\(key) makes no sense") }
    return converted
  }

  private static let form = [UInt8]("0000-00-00T00:00:00Z".utf8)

  /// RFC 3339 in UTC with whole seconds, the only form Intel writes. It is the DER form with signs between, so the DER
  /// reader reads it.
  static func time(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    var digits: [UInt8] = []
    guard bytes.count == form.count else { return nil }
    for (byte, expected) in zip(bytes, form) {
      if expected == UInt8(ascii: "0") {
        digits.append(byte)
      } else if byte != expected {
        return nil
      }
    }
    var reader = DERReader([DERTag.generalizedTime.rawValue, 15] + digits + [UInt8(ascii: "Z")])
    return try? reader.generalizedTime()
  }
}
