import MeroKit
import MeroWire

extension NodeSubcommand {
  static let contexts = NodeSubcommand(
    name: "contexts", summary: "List the contexts the session may see",
    help: """
      usage: mero node contexts [OPTIONS]

      One line for each context: its id, its name if it has one, the application that runs in it, and its group.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    for context in try await invocation.connect().admin.allContexts() {
      var json: JSONObject = [
        "contextId": .string(context.id), "applicationId": .string(context.applicationId),
      ]
      json["applicationVersion"] = context.applicationVersion.map { .string($0) }
      json["groupId"] = context.groupId.map { .string($0) }
      json["name"] = context.name.map { .string($0) }
      let version = context.applicationVersion.map { " \($0)" } ?? ""
      let group = context.groupId.map { "  group \($0.prefix(8))…" } ?? ""
      invocation.report(
        "\(context.id)  \(context.name ?? "-")  application \(context.applicationId.prefix(8))…\(version)\(group)",
        json)
    }
    return ExitCode.success
  }
}
