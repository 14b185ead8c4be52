import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// Every row of the endpoint list, against the node.
@Suite("The admin API's endpoint list and a fake node")
struct EndpointCoverageTests {
  typealias Row = EndpointRow

  static let rows = EndpointRow.all

  /// No released node serves these two (20 §5.4).
  static let unserved = rows.filter { !$0.isServed }
  static let served = rows.filter(\.isServed)

  @Test("the list is there, and whole")
  func listIsWhole() {
    #expect(Self.rows.count == 131)
    #expect(Self.unserved.count == 2)
  }

  @Test("every row has a route, for whom the list says", arguments: served)
  func routes(_ row: Row) throws {
    let route = try #require(NodeRoutes.all.rows.first { $0.name == row.name })
    // Two that the list gives to sessions of the node are served to account sessions too (20 §1.5).
    let wider = [
      "/admin-api/contexts/{context_id}/identities-owned", "/admin-api/contexts/{context_id}/group",
    ]
    let access =
      wider.contains(row.path) ? row.access.replacingOccurrences(of: "token:", with: "account:") : row.access
    #expect(route.access == NodeAccess(access))
  }

  @Test("every admin route of the node is in the list")
  func nothingElse() {
    let known = Set(Self.rows.map(\.name))
    let extra = NodeRoutes.all.rows.filter {
      $0.template.hasPrefix("/admin-api/") && !known.contains($0.name)
    }
    #expect(extra.map(\.name) == [])
  }

  @Test("what no node serves is 404", arguments: unserved)
  func unservedRow(_ row: Row) async throws {
    let rig = NodeRig()
    let path = row.path.replacingOccurrences(of: "{context_id}", with: NodeRig.anId)
      .replacingOccurrences(of: "{author_device_key}", with: NodeRig.anId)
    let json: JSONValue? = row.method == "POST" ? ["authorProof": "00"] : nil
    #expect(try await rig.send(HTTPMethod(rawValue: row.method), path, json: json).status == 404)
  }

  @Test("every row answers with its status and in its envelope", arguments: served)
  func answers(_ row: Row) async throws {
    let world = try await EndpointWorld()
    let request = try await world.request(row.name)
    let answer = try await world.rig.send(
      HTTPMethod(rawValue: row.method), request.path, json: request.json, bytes: request.bytes,
      as: request.sender)
    #expect(answer.status == row.status, "\(answer.text)")
    let parts = row.response.split(separator: ":", maxSplits: 1).map(String.init)
    let type = parts.count > 1 ? parts[1] : ""
    switch parts[0] {
    case "data" where type == "null": #expect(answer.json == ["data": .null])
    case "data":
      #expect(answer.json.objectValue?.keys == ["data"])
      if !type.hasSuffix("?") { #expect(!answer.data.isNull) }
      if type.hasSuffix("[]") { #expect(answer.data.arrayValue != nil) }
    case "flat":
      let keys = try #require(answer.json.objectValue).keys
      #expect(!keys.isEmpty)
      // This one's answer is an envelope in itself.
      #expect(keys.contains("data") == (type == "AdminAuthStatus"))
    case "empty": #expect(answer.json == [:] && answer.text == "{}")
    case "none", "headers": #expect(answer.bytes.isEmpty)
    case "raw": #expect(!answer.bytes.isEmpty)
    default: Issue.record("the list has an envelope that is unknown here: \(row.response)")
    }
  }
}
