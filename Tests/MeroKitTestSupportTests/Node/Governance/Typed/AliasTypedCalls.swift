import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

/// A kind of thing that a node names for itself.
private struct AliasKind: Sendable {
  let word: String
  let create: @Sendable (AdminApi, _ name: String, _ id: String) async throws -> Void
  let lookUp: @Sendable (AdminApi, _ name: String) async throws -> LookupAliasResponseData
  let delete: @Sendable (AdminApi, _ name: String) async throws -> Void
  let list: @Sendable (AdminApi) async throws -> ListAliasesResponseData

  static let context = AliasKind(
    word: "context",
    create: { try await $0.createContextAlias(CreateContextAliasRequest(alias: $1, contextId: $2)) },
    lookUp: { try await $0.lookupContextAlias($1) }, delete: { try await $0.deleteContextAlias($1) },
    list: { try await $0.listContextAliases() })

  static let application = AliasKind(
    word: "application",
    create: {
      try await $0.createApplicationAlias(CreateApplicationAliasRequest(alias: $1, applicationId: $2))
    },
    lookUp: { try await $0.lookupApplicationAlias($1) },
    delete: { try await $0.deleteApplicationAlias($1) }, list: { try await $0.listApplicationAliases() })

  static let device = AliasKind(
    word: "device",
    create: { try await $0.createDeviceAlias(CreateDeviceAliasRequest(alias: $1, deviceId: $2)) },
    lookUp: { try await $0.lookupDeviceAlias($1) }, delete: { try await $0.deleteDeviceAlias($1) },
    list: { try await $0.listDeviceAliases() })

  /// The names the node has, by a plain request.
  func names(_ turn: TypedTurn) async throws -> JSONValue { try await turn.read("/alias/list/\(word)") }

  /// Names something by a plain request.
  func name(_ turn: TypedTurn) async throws {
    let body: JSONValue = ["alias": "main", "\(word)Id": .string(NodeRig.anId)]
    #expect(try await turn.rig.post("/alias/create/\(word)", body).status == 200)
  }
}

extension TypedCall {
  static let aliases: [TypedCall] = [AliasKind.context, .application, .device].flatMap(calls)

  private static func calls(_ kind: AliasKind) -> [TypedCall] {
    [
      TypedCall("POST", "/alias/create/\(kind.word)") { turn in
        try await turn.send { try await kind.create($0, "main", NodeRig.anId) }
        #expect(try await kind.names(turn) == ["main": .string(NodeRig.anId)])
        try await turn.refused(409) { try await kind.create($0, "main", NodeRig.anId) }
      },
      TypedCall("POST", "/alias/lookup/\(kind.word)/{name}") { turn in
        try await turn.expect(nil) { try await kind.lookUp($0, "main").value }
        try await kind.name(turn)
        try await turn.expect(NodeRig.anId) { try await kind.lookUp($0, "main").value }
      },
      TypedCall("POST", "/alias/delete/\(kind.word)/{name}") { turn in
        try await kind.name(turn)
        try await turn.send { try await kind.delete($0, "main") }
        #expect(try await kind.names(turn) == [:])
        try await turn.send { try await kind.delete($0, "main") }
      },
      TypedCall("GET", "/alias/list/\(kind.word)") { turn in
        try await turn.expect([:]) { try await kind.list($0) }
        try await kind.name(turn)
        try await turn.expect(["main": NodeRig.anId]) { try await kind.list($0) }
      },
    ]
  }
}
