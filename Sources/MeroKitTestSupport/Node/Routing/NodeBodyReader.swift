import Foundation
import MeroHTTP
import MeroWire

/// Reads a request's body as its route takes it.
enum NodeBodyReader {
  /// The web framework's limit for JSON. Bytes may be a thousand times as long.
  static let jsonLimit = 2 << 20
  static let bytesLimit = 1 << 30

  static func bytes(of request: HTTPRequest) throws(TransportError) -> Data {
    switch request.body {
    case nil: return Data()
    case .data(let data): return data
    case .file(let url):
      guard let data = try? Data(contentsOf: url) else {
        throw TransportError(
          kind: .lost, text: "the file to send could not be read: \(url.lastPathComponent)",
          mayHaveBeenSent: false)
      }
      return data
    }
  }

  /// The declared fields. Throws the refusals of 20 §4.1.
  static func fields(_ body: Data, _ headers: HTTPHeaders, as kind: NodeBody) throws(NodeRefusal)
    -> NodeFields
  {
    if case .bytes = kind { return NodeFields() }
    guard body.count <= jsonLimit else {
      throw NodeRefusal(413, "Failed to buffer the request body: length limit exceeded", .text)
    }
    switch kind {
    case .ignored, .raw, .bytes: return NodeFields()
    case .optional where body.isEmpty: return NodeFields()
    case .strict(let names), .optional(let names):
      guard isJSON(headers) else {
        throw NodeRefusal(400, "Expected request with `Content-Type: application/json`")
      }
      guard let json = try? JSONValue(parsing: body) else { throw NodeRefusal(400, "Invalid JSON body") }
      guard let object = json.objectValue else {
        throw NodeRefusal(400, "Invalid JSON body: expected an object")
      }
      let unknown = object.keys.filter { !names.contains($0) }
      guard unknown.isEmpty else {
        throw NodeRefusal(
          400, "Validation errors: " + unknown.map { "\($0): unknown field" }.joined(separator: "; "))
      }
      return NodeFields(object)
    case .plain(let names, let isOpen):
      guard isJSON(headers) else {
        throw NodeRefusal(415, "Expected request with `Content-Type: application/json`", .text)
      }
      guard let json = try? JSONValue(parsing: body) else {
        throw NodeRefusal(400, "Failed to parse the request body as JSON", .text)
      }
      guard let object = json.objectValue else {
        throw NodeRefusal(422, "Failed to deserialize the JSON body into the target type", .text)
      }
      if !isOpen, let unknown = object.keys.first(where: { !names.contains($0) }) {
        throw NodeRefusal(
          400, "Failed to deserialize the JSON body into the target type: unknown field `\(unknown)`", .text)
      }
      return NodeFields(object)
    }
  }

  static func isJSON(_ headers: HTTPHeaders) -> Bool {
    let type = headers["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
    return type.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
  }
}
