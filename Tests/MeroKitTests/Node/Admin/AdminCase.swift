import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

/// The ids and names that the calls of a case are made with.
struct Ids: Sendable {
  var application, context, namespace, group, newParent, account, device, key, blob: String
  var package, version, alias: String
  var service: String? = "a b"
  /// A node that holds the owner's root wants none.
  var rootProof: String? = "aa"
  var invitation = Invitations.invitation

  /// Ids as they are.
  static let usual = Ids(
    application: id(0xA1), context: id(0xC1), namespace: id(0x4E), group: id(0x61), newParent: id(0x62),
    account: id(0xAC), device: id(0xDE), key: id(0x5E), blob: id(0xB1), package: "com.example.notes",
    version: "1.2.3", alias: "main")

  /// Values that mean something in an address, and are none of this node's.
  static let hostile = Ids(
    application: "a/b?c#d", context: "../e%2F", namespace: "n s", group: "g&h=i+j", newParent: "p",
    account: "ü\u{1F600}", device: "d;x:@", key: "[k]{}", blob: "b|^`", package: "org/π '*'",
    version: "1.0.0+build", alias: "~.-_!")

  static func id(_ byte: UInt8) -> String { Hex.encode([UInt8](repeating: byte, count: 32)) }

  /// The value of a path's parameter.
  func value(_ parameter: String) -> String? {
    switch parameter {
    case "application_id": application
    case "context_id": context
    case "namespace_id": namespace
    case "group_id": group
    case "account": account
    case "device_id": device
    case "author_device_key": key
    case "blob_id": blob
    case "package": package
    case "name": alias
    default: nil
    }
  }
}

/// A row of the endpoint table: the typed call, what it has to put on the wire, and what its answer has to mean.
struct AdminCase: Sendable, CustomTestStringConvertible {
  enum Body: Sendable {
    case nothing
    case emptyObject
    case json(@Sendable (Ids) -> String)
    case bytes(Data)
  }

  /// `METHOD path` of the row.
  let row: String
  let query: @Sendable (Ids) -> [(String, String)]
  let body: Body
  /// What the node answers, without the envelope; of a row without a body, nothing.
  let answer: String
  let answerHeaders: HTTPHeaders
  let call: @Sendable (AdminApi, Ids) async throws -> any Sendable
  let isRight: @Sendable (any Sendable) -> Bool

  var testDescription: String { row }

  /// A call that answers a value.
  static func row<T: Equatable & Sendable>(
    _ row: String, query: @escaping @Sendable (Ids) -> [(String, String)] = { _ in [] },
    sends body: Body = .nothing,
    answers answer: String, headers: HTTPHeaders = [:], gives value: T,
    _ call: @escaping @Sendable (AdminApi, Ids) async throws -> T
  ) -> AdminCase {
    AdminCase(
      row: row, query: query, body: body, answer: answer, answerHeaders: headers, call: call,
      isRight: { ($0 as? T) == value })
  }

  /// A call that answers nothing.
  static func row(
    _ row: String, sends body: Body, answers answer: String = "{}",
    _ call: @escaping @Sendable (AdminApi, Ids) async throws -> Void
  ) -> AdminCase {
    AdminCase(
      row: row, query: { _ in [] }, body: body, answer: answer, answerHeaders: [:],
      call: { try await call($0, $1) }, isRight: { $0 is Void })
  }

  static let all =
    system + applications + contexts + intents + accounts + namespaces + groups + members + metadata
    + groupInvitations + upgrades + blobs + aliases + tee
}

extension AdminCase {
  /// The answer as the row's route sends it (20 §1.3).
  func response(to row: EndpointRow) -> HTTPResponse {
    let text: String
    switch row.responseType.prefix(while: { $0 != ":" }) {
    case "data": text = row.responseType == "data:null" ? #"{"data":null}"# : #"{"data":\#(answer)}"#
    case "none", "headers": text = ""
    default: text = answer
    }
    var headers = answerHeaders
    if headers["content-type"] == nil { headers["content-type"] = "application/json" }
    return HTTPResponse(status: row.status, headers: headers, body: HTTPBody(Data(text.utf8)))
  }

  /// The path of the row with the ids in it, percent-encoded.
  func path(of row: EndpointRow, with ids: Ids) -> String {
    row.path.split(separator: "/").map { part in
      guard part.hasPrefix("{"), let value = ids.value(String(part.dropFirst().dropLast())) else {
        return "/" + part
      }
      return "/" + Self.encoded(value)
    }.joined()
  }

  func query(with ids: Ids) -> String? {
    let items = query(ids).map { "\($0)=\(Self.encoded($1))" }
    return items.isEmpty ? nil : items.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain =
        character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : String(format: "%%%02X", byte)
    }.joined()
  }
}
