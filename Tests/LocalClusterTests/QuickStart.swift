import MeroKit

/// The README's quick start, word for word: `QuickStartTests` compares the two and runs this one.
func quickStart() async throws {
  // quick start begins
  // A cluster on this machine. Its attestation is a mock, which only `.development` accepts.
  let client = CalimeroClient(
    CalimeroClientOptions(
      baseUrl: "http://127.0.0.1:2501",
      nodes: ["http://127.0.0.1:2502", "http://127.0.0.1:2503"],
      policy: .development))

  // A passkey kept in memory stands in for the one in a phone.
  let account = try await client.signUp(SoftPasskey(), name: "grace")
  print("signed up as", account.accountId)

  let org = try await client.orgs.create(name: "Compilers").orgId
  let app = try await client.apps.create(name: "standup", package: "com.calimero.chat", org: org).appId

  // A call changes the app's state, a view reads it.
  _ = try await client.call(app, "send_message", ["message": "It compiles."])
  let messages = try await client.view(app, "get_messages", [:])
  print(messages)

  // Every event once and in order, whichever node delivers it.
  for try await event in client.events(app, from: .oldest) {
    print(event.kind, event.data)
    if event.kind == "MessageSent" { break }
  }
  // quick start ends
}
