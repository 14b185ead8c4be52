import Foundation
import MeroKit
import MeroWire

extension NodeSubcommand {
  static let invite = NodeSubcommand(
    name: "invite", summary: "Make an invitation to a namespace or group",
    help: """
      usage: mero node invite GROUP [--valid-for SECONDS] [--recursive] [--out FILE] [OPTIONS]

      Makes an invitation and prints it as JSON, for “mero node join” at the other node. Whoever holds an invitation may
      use it: hand it on like a key.

        --valid-for SECONDS  how long it can be used, at most 86400 (86400)
        --recursive          one for each group below, as well
        --out FILE           write it to this file, readable by its owner alone, and print only what it is for
      """,
    flags: ["--recursive"], values: ["--valid-for", "--out"]
  ) { invocation in
    let group = try invocation.positional(1...1, "a group")[0]
    let request = CreateNamespaceInvitationRequest(
      expirationTimestamp: try invocation.validity(),
      recursive: invocation.arguments.has("--recursive") ? true : nil)
    let admin = try invocation.connect().admin
    let isNamespace = try await admin.allNamespaces().contains {
      $0.namespaceId.lowercased() == group.lowercased()
    }
    let made =
      try await isNamespace
      ? admin.createNamespaceInvitation(group, request: request)
      : admin.createGroupInvitation(group, request: request)
    let json = try JSONValue(parsing: ExactJSON.encode(made))
    guard let file = invocation.arguments.value("--out") else {
      invocation.surroundings.print(json.text)
      return ExitCode.success
    }
    do { try PrivateFile(path: file).write(json.data() + Data("\n".utf8)) } catch {
      throw ToolError("the invitation could not be kept: \(error)")
    }
    invocation.report(
      "an invitation to \(group) is in \(file)", ["groupId": .string(group), "file": .string(file)])
    return ExitCode.success
  }
}
