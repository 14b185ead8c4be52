import Testing

/// Every row of the endpoint list through the client's typed method, against a whole node.
@Suite("The typed admin calls and a fake node")
struct TypedCallTests {
  @Test("every row has a call, and every call a row")
  func rows() {
    #expect(EndpointRow.all.count == 131)
    #expect(TypedCall.all.map(\.row).sorted() == EndpointRow.all.map(\.name).sorted())
  }

  @Test("a row's call is on the wire what the row says, and what it answers is so", arguments: TypedCall.all)
  func call(_ call: TypedCall) async throws { try await check(call, isOld: false) }

  @Test("so it is with a node of before rc.25", arguments: TypedCall.all)
  func callOfOldNode(_ call: TypedCall) async throws { try await check(call, isOld: true) }

  private func check(_ call: TypedCall, isOld: Bool) async throws {
    let row = try #require(EndpointRow.all.first { $0.name == call.row })
    let turn = try await TypedTurn(row, isOld: isOld)
    try await call.run(turn)
    #expect(turn.calls > 0)
    #expect(turn.queried == Set(row.query))
  }
}
