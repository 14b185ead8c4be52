import MeroKit
import MeroWire

extension AccountSubcommand {
  static let createContext = AccountSubcommand(
    name: "create-context", summary: "Make a context in a namespace or a group",
    help: """
      usage: mero account create-context GROUP [--name TEXT] [--init JSON] [OPTIONS]

      Makes a context in a namespace, or in a group of one. It runs the namespace's app. It is made by a warrant that this device signs, and prints the context's id.

        --name TEXT  what to call it
        --init JSON  the arguments of the app's init, an object ({}); - reads them from the standard input
      """,
    values: ["--name", "--init"]
  ) { invocation in
    let group = try invocation.group(try invocation.positional(1...1, "a namespace or a group")[0])
    let start = try invocation.arguments.value("--init").map { word in
      let json = try invocation.json(word, "what follows --init")
      guard json.objectValue != nil else { throw UsageError("--init takes a JSON object") }
      return json
    }
    let session = try await invocation.session(forGroup: group)
    let made = try await invocation.withAdmin(session) { admin, read in
      let info = try await invocation.naming("namespace or group \(group)", at: session) {
        try await read.getGroupInfo(group)
      }
      return try await admin.createContext(
        CreateContextRequest(
          applicationId: info.targetApplicationId, groupId: group,
          initializationParams: start.map { Array($0.data()) } ?? [],
          name: invocation.arguments.value("--name")))
    }
    invocation.report(
      made.contextId, ["contextId": .string(made.contextId), "groupId": .string(group)])
    return ExitCode.success
  }
}
