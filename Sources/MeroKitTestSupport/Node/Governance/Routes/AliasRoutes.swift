import MeroWire

/// 20 §5.12.
enum AliasRoutes {
  static let rows: [NodeRoute] = NodeAliases.Kind.allCases.flatMap { kind in
    let word = kind.rawValue
    return [
      NodeRoute(
        .post, "/admin-api/alias/create/\(word)", access("create", kind),
        body: .plain(["alias", "\(word)Id"])
      ) { state, exchange in
        try state.governance.aliases.create(
          try exchange.fields.string("alias"), for: try exchange.fields.id("\(word)Id"), kind)
        return .data(.null)
      },
      NodeRoute(.post, "/admin-api/alias/lookup/\(word)/{name}", access("lookup", kind)) { state, exchange in
        let id = try state.governance.aliases.lookUp(exchange["name"], kind)
        return .data(["value": id.map { .string($0) } ?? .null])
      },
      NodeRoute(.post, "/admin-api/alias/delete/\(word)/{name}", access("delete", kind)) { state, exchange in
        try state.governance.aliases.delete(exchange["name"], kind)
        return .data(.null)
      },
      NodeRoute(.get, "/admin-api/alias/list/\(word)", access("list", kind)) { state, _ in
        let all = state.governance.aliases.all(kind).sorted { $0.key < $1.key }
        return .data(.object(JSONObject(all.map { ($0.key, .string($0.value)) })))
      },
    ]
  }

  /// Devices have no permission of their own.
  private static func access(_ verb: String, _ kind: NodeAliases.Kind) -> String {
    kind == .device ? "token:admin" : "token:context:alias:\(verb):\(kind.rawValue)"
  }
}
