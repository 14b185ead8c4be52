import Foundation
import MeroWire

/// Why a method did not run to its end, in the words of 10 §3.
struct ExecutionFailure: Error, Sendable {
  let type: String
  var data: JSONValue?

  init(_ type: String, _ data: JSONValue? = nil) {
    self.type = type
    self.data = data
  }

  /// The contract refused, or the caller may not call it.
  static func call(_ text: String) -> ExecutionFailure {
    ExecutionFailure("FunctionCallError", .string(text))
  }

  /// As the admin API says it (20 §4.2).
  var refusal: NodeRefusal {
    let text = data?.stringValue ?? type
    switch type {
    case "FunctionCallError", "SerdeError": return NodeRefusal(400, text, type: type, data: data)
    case "ContextNotFound": return .notFound("Context")
    case "Unauthorized", "ReadOnlyWriteRefused", "XCallNotPermitted": return NodeRefusal(403, text)
    case "UpgradeInProgress": return NodeRefusal(409, "an upgrade of the group is in progress")
    case "Uninitialized", "GroupKeyPending", "ApplicationNotInstalled":
      return .notYet("the node is not ready: \(type)")
    default: return NodeRefusal(500, "Internal server error")
    }
  }
}

/// What a method left behind.
struct Execution: Sendable {
  let output: JSONValue
  /// The state's hash after it.
  let rootHash: String
}

extension NodeState {
  /// Runs a method of a context's application for an account.
  ///
  /// The caller has checked that the account belongs there. A write changes the state and is told to whoever follows
  /// the context; a failure changes nothing.
  mutating func execute(
    _ method: String, _ arguments: JSONValue, in id: String, as account: String, at now: Date
  ) throws(ExecutionFailure) -> Execution {
    if let failure = faults.takeExecutionFailure(of: method, in: id) { throw failure }
    let context = try readyContext(id)
    let package = try package(of: context)
    guard let body = package.definition.methods[method] else { throw .call("method not found: \(method)") }
    if !body.isView { try checkWriting(in: context) }
    // Nodes that share the context run the method again with the same randomness.
    let seed = random.word()
    let run = FakeContext(
      account: account, now: now, data: context.data, random: SeededRandom(seed: seed).bytes)
    let output: JSONValue
    do {
      output = try body.body(run, arguments)
    } catch {
      throw Self.failure(of: error)
    }
    guard run.hasWritten else { return Execution(output: output, rootHash: context.stateHash) }
    guard !body.isView else { throw .call("the method \(method) only reads and may not change the state") }
    contexts.update(id) { $0.commit(run.data, by: ContextWrite.name(method, arguments)) }
    let hash = contexts[id]?.stateHash ?? context.stateHash
    send(.stateMutation(in: id, root: hash, events: run.events.isEmpty ? nil : run.events), at: now)
    contextWasWritten(method, arguments, in: id, as: account, seed: seed, before: context, at: now)
    return Execution(output: output, rootHash: hash)
  }

  /// Whether a method only reads; nil for one the context's application does not have.
  func isView(_ method: String, in id: String) throws(ExecutionFailure) -> Bool? {
    try package(of: try readyContext(id)).definition.methods[method]?.isView
  }

  /// The context, once its state and key are here.
  private func readyContext(_ id: String) throws(ExecutionFailure) -> NodeContext {
    guard let context = contexts[id] else { throw ExecutionFailure("ContextNotFound") }
    guard !context.isKeyPending else {
      throw ExecutionFailure("GroupKeyPending", ["context_id": .string(id)])
    }
    guard context.isInitialised else { throw ExecutionFailure("Uninitialized") }
    return context
  }

  private func package(of context: NodeContext) throws(ExecutionFailure) -> FakePackage {
    guard let build = applications.build(context.blobId) else {
      throw ExecutionFailure("ApplicationNotInstalled", ["application_id": .string(context.applicationId)])
    }
    return build.package
  }

  private func checkWriting(in context: NodeContext) throws(ExecutionFailure) {
    if let group = governance.migrationRefusingWrites(in: context.groupId) {
      throw ExecutionFailure("UpgradeInProgress", ["group_id": .string(group)])
    }
    let role = governance.role(of: governance.identity.account, in: context.groupId)
    if role == "ReadOnly" || role == "ReadOnlyTee" {
      throw ExecutionFailure("ReadOnlyWriteRefused", ["context_id": .string(context.id)])
    }
  }

  private static func failure(of error: any Error) -> ExecutionFailure {
    switch error {
    case let failure as FakePackage.Failure: return .call(failure.error.stringValue ?? failure.error.text)
    case let invalid as FakePackage.InvalidArguments:
      return .call("failed to deserialize input: \(invalid.reason)")
    case let trap as FakePackage.Trap: return .call("the method trapped: \(trap.rawValue)")
    default: return .call("the method panicked")
    }
  }
}

extension NodeState {
  /// Makes a context in a group, with the state `initialize` of its application makes. Throws what the application
  /// says against the arguments.
  mutating func createContext(
    _ id: String, in group: String, running build: NodeBuild, arguments: JSONValue,
    serviceName: String? = nil,
    identity: String? = nil, name: String?, by account: String, at now: Date
  ) throws(ExecutionFailure) {
    let run = FakeContext(account: account, now: now, data: AppData()) { [random] in random.bytes($0) }
    do {
      try build.package.definition.initialize?(run, arguments)
    } catch {
      throw Self.failure(of: error)
    }
    var context = NodeContext(
      id: id, groupId: group, applicationId: build.applicationId, blobId: build.blobId,
      serviceName: serviceName,
      identities: [identity ?? governance.identity.key])
    context.commit(run.data, by: "init \(id)")
    contexts[id] = context
    let milliseconds = Int64((now.timeIntervalSince1970 * 1000).rounded())
    governance.contextWasCreated(context, name: name, by: account, at: milliseconds)
  }

  /// Has a context execute another build, with its state migrated where the build says how. Throws what the
  /// application says against it.
  mutating func switchBuild(
    of id: String, to build: NodeBuild, migrating: Bool, at now: Date
  ) throws(ExecutionFailure) {
    guard let context = contexts[id] else { throw ExecutionFailure("ContextNotFound") }
    let old = applications.build(context.blobId)?.version
    var data = context.data
    if migrating, let migrate = build.package.definition.migrate {
      let run = FakeContext(account: nil, now: now, data: data) { [random] in random.bytes($0) }
      do {
        try migrate(run, ["from": old.map { .string($0) } ?? .null])
      } catch {
        throw Self.failure(of: error)
      }
      data = run.data
    }
    contexts.update(id) { context in
      context.applicationId = build.applicationId
      context.blobId = build.blobId
      context.commit(data, by: "switch to \(build.blobId)")
    }
    send(.appVersionChanged(in: id, from: old, to: build.version), at: now)
  }

  /// Lets a state that waits at a peer arrive.
  mutating func syncContext(_ id: String, at now: Date) {
    guard let context = contexts[id], context.isJoined, let arriving = context.arriving, !isSyncHeld else {
      return
    }
    contexts.update(id) { $0.adopt(arriving) }
    send(.stateMutation(in: id, root: arriving.stateHash, events: nil), at: now)
  }
}
