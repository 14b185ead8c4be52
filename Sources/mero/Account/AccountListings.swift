import MeroKit
import MeroWire

extension AccountSubcommand {
  static let namespaces = AccountSubcommand(
    name: "namespaces", summary: "List the namespaces the account is a member of",
    help: """
      usage: mero account namespaces [OPTIONS]

      One line for each namespace that the account's relays know of: its id, its name if it has one, and the relay. A relay
      that cannot be asked is named, and the exit code is 1 then.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    let session = try await invocation.session()
    let found = await DelegatedAccounts.listDelegatedNamespaces(session, env: invocation.env)
    for entry in found {
      let namespace = entry.namespace
      var json: JSONObject = [
        "namespaceId": .string(namespace.namespaceId), "relay": .string(entry.relayURL),
        "applicationId": .string(namespace.targetApplicationId),
        "memberCount": JSONValue(namespace.memberCount), "contextCount": JSONValue(namespace.contextCount),
      ]
      json["name"] = namespace.name.map { .string($0) }
      invocation.report(
        "\(namespace.namespaceId)  \(namespace.name ?? "-")  members \(namespace.memberCount), contexts "
          + "\(namespace.contextCount)  \(entry.relayURL)", json)
    }
    return await invocation.checkCompleteness(session, relays: found.map(\.relayURL))
  }

  static let contexts = AccountSubcommand(
    name: "contexts", summary: "List the contexts the account may use",
    help: """
      usage: mero account contexts [OPTIONS]

      One line for each context that the account's relays know of: its id, its name if it has one, its group, and the relay. A
      relay that cannot be asked is named, and the exit code is 1 then.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    let session = try await invocation.session()
    let found = await DelegatedAccounts.listDelegatedContexts(session, env: invocation.env)
    for entry in found {
      let context = entry.context
      var json: JSONObject = [
        "contextId": .string(context.id), "applicationId": .string(context.applicationId),
        "relay": .string(entry.relayURL),
      ]
      json["groupId"] = context.groupId.map { .string($0) }
      json["name"] = context.name.map { .string($0) }
      let group = context.groupId.map { "  group \($0.prefix(8))…" } ?? ""
      invocation.report("\(context.id)  \(context.name ?? "-")\(group)  \(entry.relayURL)", json)
    }
    return await invocation.checkCompleteness(session, relays: found.map(\.relayURL))
  }
}

extension AccountInvocation {
  /// Names the relays that had to be left out of a listing: what is missing there must not look like nothing.
  fileprivate func checkCompleteness(_ session: DelegatedSession, relays answered: [String]) async -> Int32 {
    let known = DelegatedAccounts.knownRelays(session, store: env.store)
    if known.isEmpty { surroundings.tell("the account has no relay yet, and so is a member of nothing") }
    var isComplete = true
    for relay in known where !answered.contains(relay) {
      do { try await prove(relay, fresh: true) } catch {
        surroundings.tell("\(error)".printable)
        isComplete = false
      }
    }
    return isComplete ? ExitCode.success : ExitCode.failure
  }
}
