import Foundation
import MeroHTTP
import MeroWire

/// The head of the request inside an envelope: `{"method","path","headers"}`.
package struct InnerRequestHead: Sendable, Hashable {
  package let method: String
  package let path: String
  package let headers: HTTPHeaders

  package init(method: String, path: String, headers: HTTPHeaders) {
    self.method = method
    self.path = path
    self.headers = headers
  }

  /// The head as JSON, keys in the protocol's order and without spaces.
  ///
  /// Fields that describe a connection are left out. `upgrade` is not: dropping it would turn the request into another
  /// one, while the node answers it with a 501.
  ///
  /// Throws `invalidHeader` or `outsideBase` for what cannot be sealed.
  package func encoded() throws(SealedError) -> [UInt8] {
    guard FieldSyntax.isToken(method) else { throw .invalidHeader("the method") }
    guard FieldSyntax.isInnerPath(path) else { throw .outsideBase(path) }
    var json = HeadWriter()
    json.raw("{\"method\":")
    json.string(method)
    json.raw(",\"path\":")
    json.string(path)
    json.raw(",\"headers\":[")
    var isFirst = true
    for (name, value) in headers where !FieldSyntax.belongsToConnection(name) {
      guard FieldSyntax.isToken(name), FieldSyntax.isVisible(value) else {
        throw .invalidHeader("the header field \(name)")
      }
      json.pair(name, value, isFirst: isFirst)
      isFirst = false
    }
    json.raw("]}")
    return json.bytes
  }

  /// Reads a head as strictly as a node does: unknown keys, bad fields and relative paths are refused.
  /// `nil` means malformed.
  package init?(parsing bytes: Data) {
    guard let object = (try? JSONValue(parsing: bytes))?.objectValue, object.count <= 3 else { return nil }
    for (key, _) in object where key != "method" && key != "path" && key != "headers" { return nil }
    guard let method = object["method"]?.stringValue, FieldSyntax.isToken(method),
      let path = object["path"]?.stringValue, FieldSyntax.isInnerPath(path)
    else { return nil }
    var headers = HTTPHeaders()
    if let listed = object["headers"] {
      guard let fields = headerFields(listed) else { return nil }
      for (name, value) in fields {
        guard FieldSyntax.isToken(name), FieldSyntax.isVisible(value) else { return nil }
        headers.add(name, value)
      }
    }
    self.init(method: method, path: path, headers: headers)
  }
}

/// The head of a response inside its first frame: `{"status","headers"}`.
package struct InnerResponseHead: Sendable, Hashable {
  package let status: Int
  package let headers: HTTPHeaders

  package init(status: Int, headers: HTTPHeaders) {
    self.status = status
    self.headers = headers
  }

  /// The head as JSON. Fields that describe a connection, and fields no envelope can hold, are left out.
  package func encoded() -> [UInt8] {
    var json = HeadWriter()
    json.raw("{\"status\":\(status),\"headers\":[")
    var isFirst = true
    for (name, value) in headers
    where !FieldSyntax.belongsToConnection(name) && FieldSyntax.isToken(name) && FieldSyntax.isVisible(value)
    {
      json.pair(name, value, isFirst: isFirst)
      isFirst = false
    }
    json.raw("]}")
    return json.bytes
  }

  /// Reads a head; unknown keys are ignored, since a later node may add some.
  package init(parsing bytes: Data) throws(SealedError) {
    guard let object = (try? JSONValue(parsing: bytes))?.objectValue else {
      throw .malformedReply("the response head is not a JSON object")
    }
    guard let status = object["status"]?.int, (100...999).contains(status) else {
      throw .malformedReply("the response head has no status")
    }
    guard let fields = headerFields(object["headers"] ?? .array([])) else {
      throw .malformedReply("the response head's fields are not pairs of strings")
    }
    self.init(
      status: status,
      headers: HTTPHeaders(fields.filter { !FieldSyntax.belongsToConnection($0.0.lowercased()) }))
  }
}

private func headerFields(_ value: JSONValue) -> [(String, String)]? {
  guard let pairs = value.arrayValue else { return nil }
  var fields: [(String, String)] = []
  fields.reserveCapacity(pairs.count)
  for pair in pairs {
    guard let pair = pair.arrayValue, pair.count == 2,
      let name = pair[0].stringValue, let value = pair[1].stringValue
    else { return nil }
    fields.append((name, value))
  }
  return fields
}

/// What may stand in a request line and in header fields.
package enum FieldSyntax {
  /// Fields about one connection; they never cross an envelope.
  static func belongsToConnection(_ name: String) -> Bool {
    name == "connection" || name == "content-length" || name == "host" || name == "transfer-encoding"
  }

  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default:
          "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Visible ASCII, spaces and tabs: all that a node's header values can be.
  package static func isVisible(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
  }

  /// A path from the root with its query, percent-encoded, without a fragment.
  package static func isInnerPath(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "/")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
  }
}

/// Writes the few forms of JSON that a head has, whose text is visible ASCII.
private struct HeadWriter {
  private(set) var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(512)
  }

  mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x09: raw("\\t")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func pair(_ name: String, _ value: String, isFirst: Bool) {
    raw(isFirst ? "[" : ",[")
    string(name)
    raw(",")
    string(value)
    raw("]")
  }
}
