import Foundation
import LocalCluster
import MeroCrypto
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

/// The part of `mero demo` about single nodes: two of them on free ports, linked, and a client for each. Each step checks
/// what it tells.
struct NodeChapter {
  private static let patience: TimeInterval = 30
  private static let password = "a password nobody else has"

  let narrator: Narrator
  private let first = LocalNode(port: 0)
  private let second = LocalNode(port: 0)
  private let numbers: String
  private let chat: String

  init(narrator: Narrator) {
    self.narrator = narrator
    for node in [first.node, second.node] { node.awaitOwner() }
    first.node.link(second.node)
    numbers = first.node.makeContext(of: .probe, name: "numbers")
    chat = first.node.makeContext(of: .chat, name: "chat")
  }

  func run() async throws {
    do {
      try await tell()
    } catch {
      await stop()
      throw error
    }
    await stop()
  }

  private func stop() async {
    await first.stop()
    await second.stop()
  }

  private func tell() async throws {
    let urls = try await serve()
    let mero = Mero(config: MeroConfig(baseURL: urls[0]))
    try await logIn(mero)
    let group = try await listContexts(mero)
    try await execute(mero)
    try await follow(mero)
    try await presence(mero)
    try await expire(mero)
    try await moveBlob(mero)
    try await share(mero, group, with: Mero(config: MeroConfig(baseURL: urls[1])))
    try await logOut(mero)
  }
}

// MARK: - A session

extension NodeChapter {
  private func serve() async throws -> [URL] {
    try await narrator.step("node") {
      let urls = [try await first.start(), try await second.start()]
      guard await probeNodeHealth(urls[0].absoluteString) else { throw StepError("the node is not well") }
      return (
        urls,
        .init(
          text: "two single nodes listen, linked with each other; the first says it is well",
          fields: ["nodes": .array(urls.map { .string($0.absoluteString) })])
      )
    }
  }

  private func logIn(_ mero: Mero) async throws {
    try await narrator.step("node login") {
      try await mero.authenticate(Credentials(username: "ada", password: Self.password))
      guard try await mero.checkSession() == .live else { throw StepError("the session is not good") }
      do {
        let url = await first.url ?? first.node.url
        let stranger = Mero(config: MeroConfig(baseURL: url))
        try await stranger.authenticate(Credentials(username: "ada", password: "another password"))
      } catch MeroError.authenticationFailed {
        return ((), .init(text: "the first login made ada the owner; with another password she is refused"))
      }
      throw StepError("another password was accepted")
    }
  }

  private func expire(_ mero: Mero) async throws {
    try await narrator.step("token expiry") {
      let before = first.node.refreshCalls
      first.node.expireAccessToken()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<5 { group.addTask { _ = try await mero.rpc.syncStatus(chat) } }
        try await group.waitForAll()
      }
      guard first.node.refreshCalls == before + 1 else { throw StepError("it was not renewed exactly once") }
      return ((), .init(text: "the access token expired under five requests: one renewal, five answers"))
    }
  }

  private func logOut(_ mero: Mero) async throws {
    try await narrator.step("node log-out") {
      await mero.logout()
      do {
        _ = try await mero.rpc.syncStatus(chat)
      } catch let error as MeroError where error.httpStatus == 401 {
        return ((), .init(text: "ada logged out, here and at the node; a further request is refused"))
      }
      throw StepError("a request was answered after the log-out")
    }
  }
}

// MARK: - Contexts

extension NodeChapter {
  /// Answers the chat's group.
  private func listContexts(_ mero: Mero) async throws -> String {
    try await narrator.step("contexts") {
      let contexts = try await mero.admin.allContexts()
      guard let group = contexts.first(where: { $0.id == chat })?.groupId else {
        throw StepError("the chat is not in the list")
      }
      let names = contexts.compactMap(\.name).joined(separator: ", ")
      return (group, .init(text: "the node has \(contexts.count) contexts: \(names)"))
    }
  }

  private func execute(_ mero: Mero) async throws {
    try await narrator.step("exact number") {
      // The largest number of 128 bits; a double keeps 16 of its 39 digits.
      let sent = try JSONValue(parsing: "340282366920938463463374607431768211455")
      let echo: JSONValue = try await mero.rpc.execute(
        contextId: numbers, method: "echo", argsJson: ["number": sent])
      guard let back = echo["number"]?.text, back == sent.text else {
        throw StepError("the number came back as another")
      }
      return (
        (), .init(text: "a method answered \(back), every digit kept", fields: ["number": .string(back)])
      )
    }
  }

  private func follow(_ mero: Mero) async throws {
    try await narrator.step("node event") {
      let events = mero.events(contextIds: [chat])
      try await withDeadline(Self.patience, clock: .system) {
        _ = try await mero.sse.subscribe(contextIds: [chat])
      }
      let sent: JSONValue = try await mero.rpc.execute(
        contextId: chat, method: "send_message", argsJson: ["message": "live"])
      let told = try await withDeadline(Self.patience, clock: .system) {
        for try await event in events {
          if let emitted = event.stateMutation?.events?.first { return emitted }
        }
        throw StepError("the event stream ended")
      }
      guard told.json?["id"] == sent["id"] else { throw StepError("the event speaks of another message") }
      return ((), .init(text: "a live \(told.kind) event arrived over the one shared stream"))
    }
  }

  private struct Typing: Codable, Sendable { let typing: Bool }

  private func presence(_ mero: Mero) async throws {
    try await narrator.step("presence") {
      let early = await mero.ephemeral.subscribe(contextId: chat, as: Typing.self)
      try await mero.ephemeral.set(contextId: chat, state: Typing(typing: true))
      let live = try await Self.first(of: early)
      let late = try await Self.first(of: await mero.ephemeral.subscribe(contextId: chat, as: Typing.self))
      guard live.state?.typing == true, late.state?.typing == true, late.author == live.author,
        let age = late.ageMs
      else { throw StepError("a late subscriber does not see who is typing") }
      return ((), .init(text: "typing was set; who subscribed later sees it too, heard \(age) ms ago"))
    }
  }

  private static func first(
    of entries: AsyncThrowingStream<EphemeralEntry<Typing>, any Error>
  ) async throws -> EphemeralEntry<Typing> {
    try await withDeadline(patience, clock: .system) {
      for try await entry in entries { return entry }
      throw StepError("the presence stream ended")
    }
  }
}

// MARK: - Files and other nodes

extension NodeChapter {
  private func moveBlob(_ mero: Mero) async throws {
    try await narrator.step("blob") {
      let bytes = Data(MeroRandom.system.bytes(1 << 20))
      let blob = try await mero.admin.uploadBlob(bytes, contextId: chat, verified: true)
      let back = try await mero.admin.downloadBlob(blob.blobId, verified: true)
      let info = try await mero.admin.getBlobInfo(blob.blobId)
      guard back == bytes, info.hash == Hex.encode(SHA256.hash(Array(bytes))) else {
        throw StepError("the bytes came back changed")
      }
      return ((), .init(text: "1 MiB went up and came back, its SHA-256 checked at both ends"))
    }
  }

  private func share(_ mero: Mero, _ group: String, with other: Mero) async throws {
    try await narrator.step("invitation") {
      try await other.authenticate(Credentials(username: "grace", password: Self.password))
      guard let invitation = try await mero.admin.createNamespaceInvitation(group, request: nil).invitation
      else { throw StepError("no invitation was made") }
      let outcome = await other.admin.redeemInvitation(group, invitation: invitation)
      guard case .joined = outcome else { throw StepError("the join did not work: \(outcome)") }
      guard try await other.admin.syncGroupContexts(group).contains(where: { $0.contextId == chat }) else {
        throw StepError("the chat is not among the group's contexts")
      }
      return ((), .init(text: "grace's node joined ada's group with an invitation"))
    }
    try await narrator.step("linked nodes") {
      let sent: JSONValue = try await mero.rpc.execute(
        contextId: chat, method: "send_message", argsJson: ["message": "for both"])
      let messages: JSONValue = try await other.rpc.execute(contextId: chat, method: "get_messages")
      guard let id = sent["id"], Follower.messageIds(in: messages).contains(id) else {
        throw StepError("the message is not at the other node")
      }
      return ((), .init(text: "what ada wrote at her node is read at grace's"))
    }
    await other.close()
  }
}
