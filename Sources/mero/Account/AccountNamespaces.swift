import MeroKit
import MeroWire

extension AccountSubcommand {
  static let namespaces = AccountSubcommand(
    name: "namespaces", summary: "List the namespaces the account is a member of",
    help: """
      usage: mero account namespaces [OPTIONS]

      One line for each namespace that the account's relays know of: its id, its name if it has one, and the relay. A relay
      that cannot be asked is named, and the exit code is 1 then. The relays that serve a namespace are members of it and
      are counted with the people.
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
}
