import Foundation
import MeroKit

/// The README's example of what apps use beside calls, word for word: `QuickStartTests` compares the two and runs this one.
func appQuickStart(client: CalimeroClient, app: String, passkey: SoftPasskey, baseUrl: String) async throws {
  // quick start begins
  struct Typing: Codable, Sendable { var typing: Bool }

  // Who is there. It is said again for as long as the client runs, and gone 7 seconds after it ended.
  let presence = client.presence(app)
  try await presence.set(Typing(typing: true))
  for try await here in presence.entries(as: Typing.self) {
    guard let me = here.first(where: \.isMine) else { continue }
    print(me.accountId, me.state?.typing ?? false)
    break
  }

  // Files, with progress; one that was cut goes on where it was, and every byte is checked.
  let blob = try await client.blobs(app).put(Data("minutes".utf8), name: "minutes.txt") { progress in
    print(progress.completed, "of", progress.total ?? 0)
  }
  let minutes = try await client.blobs(app).get(blob.blobId)
  print(String(decoding: minutes, as: UTF8.self))

  // A key for a machine, which takes the passkey. Its secret is shown this once.
  let made = try await client.auth.keyCreate(
    label: "reader", scopes: ["apps:view"], apps: [app], passkey: passkey)
  var options = CalimeroClientOptions(baseUrl: baseUrl, policy: .development)
  options.apiKey = made.secret
  let machine = CalimeroClient(options)
  print(try await machine.view(app, "get_messages", [:]))
  // quick start ends
}
