import MeroKit
import MeroWire

extension AccountSubcommand {
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
