import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

/// Somebody with an account, and the passkey that confirms what it asks for.
struct Person {
  let name: String
  let account: String
  let token: String
  let passkey: HandPasskey
}

extension Rig {
  func person(_ name: String) async throws -> Person {
    let passkey = HandPasskey()
    let session = try await signUp(name, with: passkey)
    return Person(
      name: name, account: try #require(session["accountId"]?.stringValue),
      token: try #require(session["accessToken"]?.stringValue), passkey: passkey)
  }

  /// The header that answers a 412's question.
  func confirmation(of reply: Reply, with passkey: HandPasskey) throws -> (String, String) {
    let details = try #require(reply.details)
    let credential = try #require(try passkey.assertion(for: details)["credential"])
    let id = try #require(details["confirmId"]?.stringValue)
    return ("x-calimero-confirm", "v1.\(id).\(Base64URL.encode(Array(credential.data())))")
  }

  /// Sends a request that a passkey has to confirm: plainly, which is 412, and again with the answer.
  @discardableResult
  func confirmed(
    _ method: String, _ path: String, _ body: String? = nil, by person: Person, node: Int = 0
  ) async throws -> Reply {
    let asked = try await send(method, path, body, token: person.token, node: node)
    try #require(asked.code == "CONFIRM_REQUIRED", "\(method) \(path): \(asked.status) \(asked.json)")
    let header = try confirmation(of: asked, with: person.passkey)
    return try await send(method, path, body, token: person.token, node: node, headers: [header])
  }

  func org(of person: Person, _ name: String = "Acme") async throws -> String {
    let reply = try await send("POST", "/orgs", #"{"name":"\#(name)"}"#, token: person.token)
    return try #require(reply.json["orgId"]?.stringValue, "\(reply.json)")
  }

  func team(of person: Person, in org: String, _ name: String = "Design") async throws -> String {
    let reply = try await send("POST", "/orgs/\(org)/teams", #"{"name":"\#(name)"}"#, token: person.token)
    return try #require(reply.json["teamId"]?.stringValue, "\(reply.json)")
  }

  func app(
    of person: Person, in org: String, _ name: String = "app", access: String = "none"
  ) async throws -> String {
    let body =
      #"{"name":"\#(name)","package":"com.calimero.chat","org":"\#(org)","orgAccess":"\#(access)"}"#
    let reply = try await send("POST", "/apps", body, token: person.token)
    return try #require(reply.json["appId"]?.stringValue, "\(reply.json)")
  }

  /// An invitation and its code.
  func invite(
    _ body: String = #"{"role":"member"}"#, to org: String, by person: Person
  ) async throws -> (id: String, code: String) {
    let reply = try await confirmed("POST", "/orgs/\(org)/invites", body, by: person)
    let id = try #require(reply.json["invite"]?["inviteId"]?.stringValue, "\(reply.json)")
    return (id, try #require(reply.json["code"]?.stringValue))
  }

  /// A new API key's secret.
  func key(_ scopes: [String], _ more: String = "", of person: Person) async throws -> String {
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
    let body = #"{"label":"robot","scopes":[\#(list)]\#(more)}"#
    let reply = try await confirmed("POST", "/auth/api-keys", body, by: person)
    return try #require(reply.json["secret"]?.stringValue, "\(reply.json)")
  }
}

extension Rig.Reply {
  /// The texts that each item of a listing has under `name`.
  func texts(_ list: String, _ name: String) -> [String] {
    (json[list]?.arrayValue ?? []).compactMap { $0[name]?.stringValue }
  }
}
