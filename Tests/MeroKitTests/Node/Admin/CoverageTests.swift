import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("Every admin endpoint has a typed call")
struct AdminCoverageTests {
  @Test("20 §1.8: every row of the endpoint table has a case, and every case a row")
  func casesAndRows() throws {
    let rows = try EndpointTable.rows()
    #expect(rows.count == 131)
    #expect(Set(rows.map(\.key)).count == rows.count)
    #expect(Set(AdminCase.all.map(\.row)) == Set(rows.map(\.key)))
    #expect(AdminCase.all.count == rows.count)
  }

  @Test("20 §1.8: every name of the endpoint table is a call of AdminApi, and every call is in the table")
  func callsAndRows() throws {
    // Made of calls that are in the table.
    let composed: Set = ["installFromRegistry", "getDefaultCapabilities", "getSubgroupVisibility"]
    #expect(try EndpointTable.declaredCalls() == Set(EndpointTable.rows().map(\.name)).union(composed))
  }

  @Test("a call's request is what its row says, and its answer is read", arguments: AdminCase.all)
  func onTheWire(_ test: AdminCase) async throws {
    for ids in [Ids.usual, .hostile] { try await check(test, ids) }
  }

  private func check(_ test: AdminCase, _ ids: Ids) async throws {
    let row = try #require(EndpointTable.rows().first { $0.key == test.row })
    let transport = RecordingTransport { _ in test.response(to: row) }
    let value = try await test.call(AdminApi(transport), ids)
    #expect(test.isRight(value), "\(value)")

    let requests = await transport.sent
    #expect(requests.count == 1)
    let request = try #require(requests.first)
    #expect(request.method.rawValue == row.method)
    let parts = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false))
    #expect(parts.percentEncodedPath == "/mount" + test.path(of: row, with: ids))
    #expect(parts.percentEncodedQuery == test.query(with: ids))
    #expect(Set(test.query(ids).map(\.0)) == Set(row.query))
    try checkBody(of: request, test, row, ids)
  }

  private func checkBody(of request: HTTPRequest, _ test: AdminCase, _ row: EndpointRow, _ ids: Ids) throws {
    let type = request.headers["content-type"]
    switch test.body {
    case .nothing:
      #expect(request.body == nil)
      #expect(type == nil)
      #expect(row.requestType == "-")
    case .emptyObject:
      #expect(request.body == .data(Data("{}".utf8)))
      #expect(type == "application/json")
      #expect(row.requestType == "{}")
    case .json(let text):
      guard case .data(let body)? = request.body else {
        Issue.record("there is no body")
        return
      }
      // The very members, and no others: most routes refuse what they do not know.
      #expect(try JSONValue(parsing: body) == json(text(ids)))
      #expect(type == "application/json")
      #expect(row.requestType != "-" && row.requestType != "{}")
    case .bytes(let bytes):
      #expect(request.body == .data(bytes))
      #expect(type == "application/octet-stream")
      #expect(row.requestType == "raw:bytes")
    }
  }
}
