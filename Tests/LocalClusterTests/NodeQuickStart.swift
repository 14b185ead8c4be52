import Foundation
import MeroKit

/// The README's quick start with a single node, word for word: `QuickStartTests` compares the two and runs this one.
func nodeQuickStart() async throws {
  // quick start begins
  let mero = Mero(config: MeroConfig(baseURL: URL(string: "http://127.0.0.1:2528")!))

  // On the node of `mero local` the first login chooses the name and the password.
  try await mero.authenticate(Credentials(username: "ada", password: "correct horse battery"))

  // It begins with a chat. Following it before writing, one misses nothing.
  let chat = try await mero.admin.getContexts().contexts[0].id
  let events = mero.events(contextIds: [chat])
  try await mero.sse.subscribe(contextIds: [chat])

  // A method of the context's contract; numbers come back with every digit.
  let sent: JSONValue = try await mero.rpc.execute(
    contextId: chat, method: "send_message", argsJson: ["message": "It compiles."])
  print("sent", sent)

  for try await event in events {
    guard let message = event.stateMutation?.events?.first else { continue }
    print(message.kind, message.json ?? .null)
    break
  }

  // Presence is gone when nobody renews it; the node does that for as long as it runs.
  try await mero.ephemeral.set(contextId: chat, state: ["typing": true])

  let blob = try await mero.admin.uploadBlob(Data("a file".utf8), contextId: chat, verified: true)
  let file = try await mero.admin.downloadBlob(blob.blobId, verified: true)
  print(String(decoding: file, as: UTF8.self))

  await mero.logout()
  // quick start ends
}
