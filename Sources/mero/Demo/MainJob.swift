import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroWire

/// The journey of `mero demo`. Each step checks what it tells; a step that does not hold ends the journey.
struct MainJob {
  let cluster: LocalCluster
  let narrator: Narrator

  private static let package = "com.calimero.chat"
  private static let messagesBeforeLoss = 5
  private static let messagesAfterLoss = 5

  func run() async throws {
    let urls = try await serve()
    let answers = AnsweringNodes()
    let client = CalimeroClient(options(urls, answers))
    try await attest(client, urls)
    let passkey = SoftPasskey()
    let account = try await signUp(client, passkey)
    let org = try await createOrganization(client)
    let app = try await createApp(client, org: org)
    try await callAndView(client, app)
    try await refuseStranger(urls, app)

    let follower = Follower(client.events(app, kinds: ["MessageSent"]))
    try await receiveFirstEvent(client, app, follower)
    try await send(client, app, count: Self.messagesBeforeLoss, from: 1)
    let lost = try await loseNode(urls, client, app, answers)
    try await loseAnswer(client, app, answers, urls)
    try await send(client, app, count: Self.messagesAfterLoss, from: 100)
    try await checkEvents(client, app, follower)
    try await bringBack(node: lost, client, urls)
    try await signInAgain(urls, passkey, account: account, app)
    try await signOut(client, app)
    await client.close()
  }

  private func options(_ urls: [URL], _ answers: AnsweringNodes) -> CalimeroClientOptions {
    var options = CalimeroClientOptions(
      baseUrl: urls[0].absoluteString, nodes: urls.dropFirst().map(\.absoluteString), policy: .development)
    options.log = { answers.note($0) }
    return options
  }
}

// MARK: - Nodes

extension MainJob {
  private func serve() async throws -> [URL] {
    try await narrator.step("cluster") {
      try await cluster.start()
      let urls = await cluster.nodeURLs
      let ports = urls.compactMap(\.port).map(String.init)
      return (
        urls,
        .init(
          text: "three nodes listen on 127.0.0.1, ports \(ports.joined(separator: ", "))",
          fields: ["nodes": .array(urls.map { .string($0.absoluteString) })])
      )
    }
  }

  private func attest(_ client: CalimeroClient, _ urls: [URL]) async throws {
    for (index, url) in urls.enumerated() {
      try await narrator.step("attest \(index + 1)") {
        let trust = try await client.attestation(of: url.absoluteString)
        return (
          (),
          .init(
            text:
              "node \(index + 1) attested: its \(trust.isMock ? "mock " : "")quote answers our nonce and commits to "
              + "cluster \(Hex.encode(cluster.cloud.clusterId.prefix(4)))… and its own channel key",
            fields: ["node": .string(url.absoluteString), "mock": .bool(trust.isMock)])
        )
      }
    }
  }

  /// Stops the node that answered last and shows that the next call is answered by another.
  private func loseNode(
    _ urls: [URL], _ client: CalimeroClient, _ app: String, _ answers: AnsweringNodes
  ) async throws -> Int {
    guard let last = answers.last, let index = urls.firstIndex(of: last) else {
      throw DemoFailure(step: "node lost")
    }
    try await narrator.step("node lost") {
      await cluster.stopNode(index)
      return (
        (),
        .init(text: "node \(index + 1), which answered until now, was stopped: its port refuses connections")
      )
    }
    try await narrator.step("failover") {
      let outcome = try await client.callOutcome(app, "send_message", ["message": "after the loss"])
      guard let now = answers.last, now != last, let other = urls.firstIndex(of: now) else {
        throw StepError("the stopped node seems to have answered")
      }
      return (
        (),
        .init(
          text: "the next call was answered by node \(other + 1), at position \(outcome.seq)",
          fields: ["node": .string(now.absoluteString)])
      )
    }
    return index
  }

  private func bringBack(node index: Int, _ client: CalimeroClient, _ urls: [URL]) async throws {
    try await narrator.step("node back") {
      try await cluster.startNode(index)
      await client.forgetAttestations()
      let trust = try await client.attestation(of: urls[index].absoluteString)
      guard trust.isMock else { throw StepError("a local node cannot have a real quote") }
      return ((), .init(text: "node \(index + 1) runs again with a new channel key, and was attested anew"))
    }
  }
}

// MARK: - People

extension MainJob {
  private func signUp(_ client: CalimeroClient, _ passkey: SoftPasskey) async throws -> String {
    try await narrator.step("sign-up") {
      let account = try await client.signUp(passkey, name: "ada")
      return (
        account.accountId,
        .init(
          text: "\(account.name) signed up with a passkey as \(account.accountId)",
          fields: ["account": .string(account.accountId)])
      )
    }
  }

  /// A second person exists, and does not see the first one's app.
  private func refuseStranger(_ urls: [URL], _ app: String) async throws {
    try await narrator.step("stranger") {
      let stranger = CalimeroClient(
        CalimeroClientOptions(
          baseUrl: urls[2].absoluteString, nodes: [urls[1].absoluteString], policy: .development))
      let account = try await stranger.signUp(SoftPasskey(algorithm: .ed25519), name: "grace")
      do {
        _ = try await stranger.view(app, "get_messages", [:])
      } catch let error as CalimeroError where error.code == .notFound {
        await stranger.close()
        return (
          (), .init(text: "\(account.name) signed up too, and is told that there is no such app (NOT_FOUND)")
        )
      }
      throw StepError("a stranger could read the app")
    }
  }

  private func signInAgain(_ urls: [URL], _ passkey: SoftPasskey, account: String, _ app: String) async throws
  {
    try await narrator.step("sign-in") {
      let second = CalimeroClient(
        CalimeroClientOptions(
          baseUrl: urls[1].absoluteString, nodes: [urls[2].absoluteString], policy: .development))
      let again = try await second.signIn(passkey)
      guard again.accountId == account else { throw StepError("another account answered to the passkey") }
      let apps = try await second.apps.list()
      guard apps.apps.contains(where: { $0.appId == app }) else {
        throw StepError("the app is not in the list")
      }
      await second.signOut()
      await second.close()
      return ((), .init(text: "a second client signed in with the same passkey at node 2 and found the app"))
    }
  }

  private func signOut(_ client: CalimeroClient, _ app: String) async throws {
    try await narrator.step("sign-out") {
      await client.signOut()
      do {
        _ = try await client.view(app, "get_messages", [:])
      } catch CalimeroError.signedOut {
        return ((), .init(text: "ada signed out; a further request is refused before it is sent"))
      }
      throw StepError("a request was answered after the sign-out")
    }
  }
}

// MARK: - Work

extension MainJob {
  private func createOrganization(_ client: CalimeroClient) async throws -> String {
    try await narrator.step("organization") {
      let org = try await client.orgs.create(name: "Acme")
      let listed = try await client.orgs.list()
      guard listed.orgs.contains(where: { $0.orgId == org.orgId }) else {
        throw StepError("the new organization is not in the list")
      }
      return (
        org.orgId, .init(text: "organization \(org.orgId) created", fields: ["org": .string(org.orgId)])
      )
    }
  }

  private func createApp(_ client: CalimeroClient, org: String) async throws -> String {
    try await narrator.step("app") {
      let app = try await client.apps.create(name: "chat", package: Self.package, org: org)
      return (
        app.appId,
        .init(text: "app \(app.appId) created, running \(Self.package)", fields: ["app": .string(app.appId)])
      )
    }
  }

  private func callAndView(_ client: CalimeroClient, _ app: String) async throws {
    let id: JSONValue = try await narrator.step("call") {
      let outcome = try await client.callOutcome(app, "send_message", ["message": "hi"])
      guard let id = outcome.result["id"], id.int64 != nil else {
        throw StepError("the call answered no message id")
      }
      return (
        id,
        .init(
          text: "send_message answered at position \(outcome.seq); message id \(id.text), every digit kept",
          fields: ["seq": .number(JSONNumber(outcome.seq)), "id": id])
      )
    }
    try await narrator.step("view") {
      let messages = try await client.view(app, "get_messages", [:])
      guard Follower.messageIds(in: messages).contains(id) else {
        throw StepError("the message is not there")
      }
      return ((), .init(text: "get_messages shows the message just sent"))
    }
  }

  private func receiveFirstEvent(_ client: CalimeroClient, _ app: String, _ follower: Follower) async throws {
    try await narrator.step("event") {
      try await follower.untilOpen()
      let sent = try await client.call(app, "send_message", ["message": "live"])
      let event = try await follower.next()
      guard event.data["id"] == sent["id"] else { throw StepError("the event speaks of another message") }
      return (
        (),
        .init(
          text: "a live \(event.kind) event arrived for the message just sent",
          fields: ["kind": .string(event.kind)])
      )
    }
  }

  private func send(_ client: CalimeroClient, _ app: String, count: Int, from first: Int) async throws {
    try await narrator.step("messages") {
      for number in first..<(first + count) {
        _ = try await client.call(app, "send_message", ["message": .string("message \(number)")])
      }
      return ((), .init(text: "\(count) messages sent"))
    }
  }

  /// A node runs the call and its answer is lost: the client asks again with the same key, and it ran once.
  private func loseAnswer(
    _ client: CalimeroClient, _ app: String, _ answers: AnsweringNodes, _ urls: [URL]
  ) async throws {
    try await narrator.step("lost answer") {
      guard let node = answers.last, let index = urls.firstIndex(of: node) else {
        throw StepError("no node has answered")
      }
      let before = Follower.messageIds(in: try await client.view(app, "get_messages", [:])).count
      cluster.cloud.nodes[index].loseAnswer(times: 1)
      let outcome = try await client.callOutcome(app, "send_message", ["message": "once"])
      let after = Follower.messageIds(in: try await client.view(app, "get_messages", [:])).count
      guard outcome.replayed, after == before + 1 else {
        throw StepError("the method did not run exactly once")
      }
      return (
        (),
        .init(
          text: "node \(index + 1) ran a call and lost the answer; the retry got the kept answer, it ran once"
        )
      )
    }
  }

  /// Every message has had its event, once, in order, across the loss of the node.
  private func checkEvents(_ client: CalimeroClient, _ app: String, _ follower: Follower) async throws {
    try await narrator.step("no event lost") {
      let expected = Array(
        Follower.messageIds(in: try await client.view(app, "get_messages", [:])).dropFirst())
      let received = try await follower.collect(count: expected.count)
      guard received == expected else {
        throw StepError("\(expected.count) messages were sent, and the events do not match them")
      }
      follower.stop()
      return (
        (),
        .init(
          text:
            "\(received.count) messages since the stream opened, \(received.count) events: each once and in order, "
            + "across the loss of the node",
          fields: ["events": .number(JSONNumber(received.count))])
      )
    }
  }
}

/// What a step expected and did not find.
struct StepError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
