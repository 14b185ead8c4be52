import Foundation
import MeroWire

/// The known answers of `Vectors/passkeys.json`.
struct PasskeyVectors {
  static let all: JSONValue = {
    guard
      let url = Bundle.module.url(forResource: "passkeys", withExtension: "json", subdirectory: "Vectors"),
      let data = try? Data(contentsOf: url), let value = try? JSONValue(parsing: data)
    else { return .null }
    return value
  }()

  static var clusterId: [UInt8] { all["clusterId"].bytes }
  static var nonce: [UInt8] { all["nonce"].bytes }
  static var confirms: [JSONValue] { all["confirm"]?.arrayValue ?? [] }
  static var operatorSignature: JSONValue { all["operator"] ?? .null }

  static func passkey(_ algorithm: String) -> JSONValue {
    all["passkeys"]?.arrayValue?.first { $0["algorithm"]?.stringValue == algorithm } ?? .null
  }
}

extension JSONValue? {
  var text: String { self?.stringValue ?? "" }
  var number: Int64 { self?.int64 ?? -1 }
  var bytes: [UInt8] { (try? Hex.decode(text)) ?? [] }
  var data: Data? { self?.stringValue.map { Data($0.utf8) } }
}
