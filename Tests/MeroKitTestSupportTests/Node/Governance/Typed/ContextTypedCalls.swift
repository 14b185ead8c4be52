import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  /// Contexts as such.
  static let contexts: [TypedCall] = [
    TypedCall("GET", "/contexts") { turn in
      let second = turn.node.makeContext(of: turn.package, in: turn.group, name: "second")
      let contexts = try await turn.send(query: [("offset", "1"), ("limit", "1")]) {
        try await $0.getContexts(offset: 1, limit: 1)
      }.contexts
      #expect(contexts.map(\.id) == [second])
      #expect(contexts.first?.groupId == turn.group)
      #expect(contexts.first?.name == "second")
      #expect(
        try await turn.send { try await $0.getContexts() }.contexts.map(\.id) == [turn.context, second])
    },
    TypedCall("POST", "/contexts") { turn in
      let secret = [UInt8](repeating: 7, count: 32)
      let request = CreateContextRequest(
        applicationId: turn.application, groupId: turn.namespace, contextSeed: NodeRig.anId,
        initializationParams: [0x7B, 0x7D], identitySecret: Hex.encode(secret), name: "board")
      let body: JSONValue = [
        "applicationId": .string(turn.application), "groupId": .string(turn.namespace),
        "contextSeed": .string(NodeRig.anId), "initializationParams": [123, 125],
        "identitySecret": .string(Hex.encode(secret)), "name": "board",
      ]
      let answer = try await turn.send(body: body) { try await $0.createContext(request) }
      #expect(answer.groupId == turn.namespace)
      #expect(!answer.groupCreated)
      #expect(answer.memberPublicKey == Hex.encode(try Ed25519.PrivateKey(seed: secret).publicKey.bytes))
      #expect(try await turn.read("/contexts/\(answer.contextId)")["name"] == "board")
      // Without anything to say the arguments are an empty list, not left out.
      let plain = try await turn.send {
        try await $0.createContext(
          CreateContextRequest(applicationId: turn.application, groupId: turn.namespace))
      }
      #expect(plain.memberPublicKey == turn.node.signingKey)
      #expect(turn.node.contextIds == [turn.context, answer.contextId, plain.contextId])
    },
    TypedCall("GET", "/contexts/{context_id}") { turn in
      let context = try await turn.send { try await $0.getContext(turn.context) }
      #expect(context.id == turn.context)
      #expect(context.applicationId == turn.application)
      #expect(context.applicationVersion == turn.package.version)
      #expect(context.contextStateHash != String(repeating: "0", count: 64))
      #expect(context.dagHeads?.map { Hex.encode($0) } == [context.contextStateHash])
      _ = try await turn.rig.execute("set_value", ["key": "k", "value": "v"], in: turn.context)
      let later = try await turn.send { try await $0.getContext(turn.context) }
      #expect(later.contextStateHash != context.contextStateHash)
    },
    TypedCall("DELETE", "/contexts/{context_id}") { turn in
      try await turn.expect(true) { try await $0.deleteContext(turn.context).isDeleted }
      #expect(turn.node.contextIds.isEmpty)
      try await turn.expect(false) { try await $0.deleteContext(turn.context).isDeleted }
    },
    TypedCall("POST", "/contexts/{context_id}/application") { turn in
      let request = UpdateContextApplicationRequest(
        applicationId: turn.installNext(), executorPublicKey: turn.node.signingKey)
      try await turn.send { try await $0.updateContextApplication(turn.context, request: request) }
      #expect(try await turn.read("/contexts/\(turn.context)")["applicationVersion"] == "9.0.0")
    },
    TypedCall("GET", "/contexts/for-application/{application_id}") { turn in
      _ = turn.node.makeContext(of: .chat)
      let contexts = try await turn.send { try await $0.getContextsForApplication(turn.application) }.contexts
      #expect(contexts.map(\.id) == [turn.context])
      #expect(contexts.first?.groupId == turn.namespace)
    },
    TypedCall("GET", "/contexts/with-executors/for-application/{application_id}") { turn in
      _ = turn.node.makeContext(of: .chat)
      let contexts = try await turn.send {
        try await $0.getContextsWithExecutorsForApplication(turn.application)
      }
      let hash = try await turn.read("/contexts/\(turn.context)")["contextStateHash"]?.stringValue
      let expected = ContextWithExecutors(
        contextId: turn.context, applicationId: turn.application, contextStateHash: hash,
        executors: [turn.node.signingKey])
      #expect(contexts == [expected])
    },
    TypedCall("GET", "/contexts/{context_id}/storage") { turn in
      let before = try await turn.send { try await $0.getContextStorage(turn.context) }.sizeInBytes
      _ = try await turn.rig.execute("set_value", ["key": "k", "value": "0123456789"], in: turn.context)
      let after = try await turn.send { try await $0.getContextStorage(turn.context) }.sizeInBytes
      #expect(before > 0)
      #expect(after >= before + 10)
    },
    TypedCall("GET", "/contexts/{context_id}/group") { turn in
      try await turn.expect(turn.namespace) { try await $0.getContextGroup(turn.context) }
    },
    TypedCall("POST", "/contexts/{context_id}/query") { turn in
      try turn.node.write(
        "set_value", ["key": "k", "value": "v"], context: turn.context, as: turn.node.account)
      let answer = try await turn.send {
        try await $0.queryContext(
          turn.context, request: QueryContextRequest(method: "get_value", argsJson: ["key": "k"]))
      }
      #expect(answer.returns == "v")
    },
  ]

  /// Who takes part in a context, and what it brings.
  static let participation: [TypedCall] = [
    TypedCall("GET", "/contexts/{context_id}/identities") { turn in
      try await turn.world.pair.join(turn.namespace)
      let answer = try await turn.send { try await $0.getContextIdentities(turn.context) }
      let keys: Set = [turn.node.signingKey, turn.world.pair.bob.node.signingKey]
      #expect(Set(answer.identities) == keys)
      #expect(answer.identitiesOf == .members)
    },
    TypedCall("GET", "/contexts/{context_id}/identities-owned") { turn in
      let answer = try await turn.send { try await $0.getContextIdentitiesOwned(turn.context) }
      #expect(
        answer == GetContextIdentitiesResponseData(identities: [turn.node.signingKey], identitiesOf: .node))
    },
    TypedCall("POST", "/contexts/{context_id}/join") { turn in
      _ = try await turn.rig.post("/contexts/\(turn.context)/leave")
      #expect(try await owned(turn) == [])
      let answer = try await turn.send { try await $0.joinContext(turn.context) }
      #expect(
        answer
          == JoinContextResponseData(contextId: turn.context, memberPublicKey: turn.node.signingKey))
      #expect(try await owned(turn) == [.string(turn.node.signingKey)])
    },
    TypedCall("POST", "/contexts/{context_id}/leave") { turn in
      try await turn.send { try await $0.leaveContext(turn.context) }
      #expect(try await owned(turn) == [])
    },
    TypedCall("POST", "/contexts/{context_id}/resync") { turn in
      // Its own heads would be lost.
      try await turn.refused(409, body: ["force": false]) { try await $0.resyncContext(turn.context) }
      let answer = try await turn.send { try await $0.resyncContext(turn.context, force: true) }
      #expect(answer == ResyncContextResponseData(contextId: turn.context, resyncStarted: true))
    },
    TypedCall("POST", "/contexts/sync") { turn in
      try await writeElsewhere(turn)
      #expect(try await turn.value("k") == nil)
      try await turn.send { try await $0.syncContext() }
      #expect(try await turn.value("k") == "v")
    },
    TypedCall("POST", "/contexts/sync/{context_id}") { turn in
      try await writeElsewhere(turn)
      #expect(try await turn.value("k") == nil)
      try await turn.send { try await $0.syncContext(turn.context) }
      #expect(try await turn.value("k") == "v")
    },
    TypedCall("POST", "/identity/context") { turn in
      let one = try await turn.send { try await $0.generateContextIdentity() }.publicKey
      let other = try await turn.send { try await $0.generateContextIdentity() }.publicKey
      for key in [one, other] { _ = try Ed25519.PublicKey(bytes: Hex.decode(key)) }
      #expect(Set([one, other, turn.node.signingKey]).count == 3)
    },
  ]

  /// The keys the node takes part in the context with.
  private static func owned(_ turn: TypedTurn) async throws -> JSONValue? {
    try await turn.read("/contexts/\(turn.context)/identities-owned")["identities"]
  }

  /// A member's node writes while this one has no state of the context: it waits for the next sync.
  private static func writeElsewhere(_ turn: TypedTurn) async throws {
    let bob = turn.world.pair.bob
    try await turn.world.pair.join(turn.namespace)
    _ = try await bob.post("/contexts/\(turn.context)/join")
    turn.node.setInitialised(false, context: turn.context)
    _ = try await bob.execute("set_value", ["key": "k", "value": "v"], in: turn.context)
  }
}
