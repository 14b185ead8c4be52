import Foundation
import MeroAPI
import MeroHTTP
import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let keys = ClusterSubcommand(
    name: "keys", summary: "Make, list and revoke API keys for machines",
    help: """
      usage: mero keys [list]
             mero keys create LABEL --scope SCOPE… --to FILE [--app APP]… [--org ORG]… [--valid-for SECONDS]
             mero keys revoke KEY

      A key's secret is written to FILE, readable by its owner alone, and shown nowhere: hand the file to --api-key, or its
      content to MERO_API_KEY. Making a key takes the passkey.

        --scope SCOPE        what it may do, such as apps:view; may be given several times
        --to FILE            where its secret goes; a file that is not there yet
        --app APP, --org ORG limit it to these; may be given several times
        --valid-for SECONDS  how long it is good (for ever)
      """,
    values: ["--scope", "--to", "--app", "--org", "--valid-for"]
  ) { try await ApiKeysCommand(invocation: $0).run() }
}

struct ApiKeysCommand {
  let invocation: ClusterInvocation
  private var client: CalimeroClient { invocation.client }

  func run() async throws -> Int32 {
    let words = invocation.arguments.positional
    switch (words.first, words.count) {
    case (nil, 0), ("list", 1): for try await key in client.auth.keyAll() { show(key) }
    case ("create", 2): try await create(words[1])
    case ("revoke", 2):
      try await client.auth.keyRevoke(key: words[1])
      invocation.report("revoked", ["keyId": .string(words[1]), "revoked": true])
    default: throw invocation.misuse("it takes list, create LABEL or revoke KEY")
    }
    return ExitCode.success
  }

  private func create(_ label: String) async throws {
    let arguments = invocation.arguments
    let scopes = arguments.all("--scope")
    guard !scopes.isEmpty else { throw UsageError("create needs at least one --scope") }
    guard let path = arguments.value("--to") else { throw UsageError("create needs --to FILE") }
    let ends = try invocation.milliseconds("--valid-for").map {
      Int64(MeroClock.system.now().timeIntervalSince1970 * 1000) + $0
    }
    // The place first: a key whose secret could not be kept would be lost.
    let place = try SecretFile(path: path)
    let made = try await client.auth.keyCreate(
      label: label, scopes: scopes, apps: Self.limit(arguments.all("--app")),
      orgs: Self.limit(arguments.all("--org")), expiresAt: ends)
    do { try place.fill(made.secret) } catch {
      // Nobody has its secret, so nobody will miss it.
      try? await client.auth.keyRevoke(key: made.key.keyId)
      throw ToolError("the key's secret could not be kept: \(error)")
    }
    var object = try made.key.jsonObject()
    object["file"] = .string(path)
    invocation.report("\(made.key.keyId)  \(path)", object)
  }

  /// What a key is limited to. With nothing named no limit is asked for, which is not the same as a limit to nothing.
  static func limit(_ named: [String]) -> [String]? { named.isEmpty ? nil : named }

  private func show(_ key: Components.Schemas.ApiKey) {
    invocation.report(
      "\(key.keyId)  \(key.label)  \(key.scopes.joined(separator: " "))", (try? key.jsonObject()) ?? [:])
  }
}
