import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire
import Testing

/// A cluster with operators and an organization that would like to deploy, and hand-made answers to what its nodes ask.
struct OperatorWorld {
  struct Person {
    let token: String
    let id: String
    let passkey: HandPasskey
  }

  struct Operator {
    let person: Person
    let key: Ed25519.PrivateKey

    var token: String { person.token }
    var keyHex: String { Hex.encode(key.publicKey.bytes) }
  }

  let rig: Rig
  /// Runs the cluster.
  let olga: Operator
  /// Owns `acme`.
  let ada: Person
  let acme: String
  /// The key that Acme signs its packages with.
  static let publisher = [UInt8](repeating: 9, count: 32)

  init(nodes: Int = 1, clock: FakeClock = FakeClock()) async throws {
    rig = try Rig(nodes: nodes, clock: clock)
    olga = try await Self.addOperator("olga", seed: 1, to: rig)
    ada = try await Self.person("ada", in: rig)
    let org = try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: ada.token)
    acme = try #require(org.json["orgId"]?.stringValue)
  }

  static func person(_ name: String, in rig: Rig) async throws -> Person {
    let passkey = HandPasskey()
    let session = try await rig.signUp(name, with: passkey)
    return Person(
      token: try #require(session["accessToken"]?.stringValue),
      id: try #require(session["accountId"]?.stringValue), passkey: passkey)
  }

  static func addOperator(_ name: String, seed: UInt8, to rig: Rig) async throws -> Operator {
    let person = try await person(name, in: rig)
    let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: seed, count: 32))
    rig.cloud.addOperator(name, key: key.publicKey.bytes)
    return Operator(person: person, key: key)
  }

  /// Signs an operator in again, for when time went by.
  func signIn(_ one: Operator) async throws -> Operator {
    Operator(person: try await signIn(one.person), key: one.key)
  }

  func signIn(_ person: Person) async throws -> Person {
    let begun = try await rig.send("POST", "/auth/signin/begin", "{}")
    person.passkey.counter += 1
    let finish = try person.passkey.assertion(for: begun.json)
    let reply = try await rig.send("POST", "/auth/signin/finish", finish.text)
    return Person(
      token: try #require(reply.json["accessToken"]?.stringValue, "\(reply.json)"), id: person.id,
      passkey: person.passkey)
  }

  /// What an operator signs, made from the request and the node's question (70 §2.12).
  func statement(
    _ method: String, _ path: String, _ body: String, issuedAt: Int64, expiresAt: Int64, nonce: [UInt8]
  ) -> [UInt8] {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    func text(_ text: String) -> [UInt8] { little(UInt64(text.utf8.count), 4) + Array(text.utf8) }
    let times = little(UInt64(issuedAt), 8) + little(UInt64(expiresAt), 8)
    return Array("calimero/operator/1".utf8) + rig.cloud.clusterId + times + nonce + text(method) + text(path)
      + SHA256.hash(Array(body.utf8))
  }

  /// The header that answers a 428.
  func signature(
    _ method: String, _ path: String, _ body: String, for question: JSONValue?, by signer: Operator
  ) throws -> (String, String) {
    let statement = statement(
      method, path, body, issuedAt: try #require(question?["issuedAt"]?.int64),
      expiresAt: try #require(question?["expiresAt"]?.int64),
      nonce: try Hex.decode(try #require(question?["nonce"]?.stringValue)))
    let signature = Base64URL.encode(try signer.key.sign(statement))
    let id = try #require(question?["signingId"]?.stringValue)
    return ("x-calimero-operator-signature", "v1.\(id).\(signer.keyHex).\(signature)")
  }

  /// Sends a request, and again with the operator's signature when the node asks for one.
  func signed(
    _ method: String, _ path: String, _ body: String = "", by signer: Operator, node: Int = 0
  ) async throws -> Rig.Reply {
    let asked = try await rig.send(method, path, body, token: signer.token, node: node)
    guard asked.status == 428 else { return asked }
    let header = try signature(method, path, body, for: asked.details, by: signer)
    return try await rig.send(method, path, body, token: signer.token, node: node, headers: [header])
  }

  /// Sends a request, and again with the person's passkey when the node asks for one.
  func confirmed(
    _ method: String, _ path: String, _ body: String = "", by person: Person
  ) async throws -> Rig.Reply {
    let asked = try await rig.send(method, path, body, token: person.token)
    guard asked.status == 412, let question = asked.details else { return asked }
    person.passkey.counter += 1
    let credential = try #require(try person.passkey.assertion(for: question)["credential"])
    let id = try #require(question["confirmId"]?.stringValue)
    let header = "v1.\(id).\(Base64URL.encode(Array(credential.data())))"
    return try await rig.send(
      method, path, body, token: person.token, headers: [("x-calimero-confirm", header)])
  }

  @discardableResult
  func vote(_ verdict: String, on decision: String, by signer: Operator) async throws -> Rig.Reply {
    try await signed("POST", "/ops/decisions/\(decision)/votes", #"{"verdict":"\#(verdict)"}"#, by: signer)
  }

  /// Acme applies to deploy; the application as it was answered.
  func apply() async throws -> JSONValue {
    let body = #"{"org":"\#(acme)","reason":"An internal chat."}"#
    let reply = try await rig.send("POST", "/deployments/signups", body, token: ada.token)
    try #require(reply.status == 201, "\(reply.json)")
    return reply.json
  }

  /// Makes Acme a deployer.
  func approveAcme() async throws {
    let signup = try await apply()
    let reply = try await vote("approve", on: signup["decisionId"].text, by: olga)
    try #require(reply.json["state"] == "approved", "\(reply.json)")
  }

  /// Publishes a package of Acme's whose code the cluster has or does not have.
  func publish(_ package: FakePackage, isKnown: Bool = true) async throws -> Rig.Reply {
    if isKnown { rig.cloud.provideCode(of: package) }
    return try await publish(package.name, try package.bundle(signedBy: Self.publisher))
  }

  func publish(_ name: String, _ bundle: Data, token: String? = nil) async throws -> Rig.Reply {
    try await rig.send(
      bytes: bundle, to: "/packages/\(name)/versions?org=\(acme)", token: token ?? ada.token)
  }

  func deploy(_ package: FakePackage, _ more: String = "") async throws -> Rig.Reply {
    let body = #"{"package":"\#(package.name)","version":"\#(package.version)","org":"\#(acme)"\#(more)}"#
    return try await confirmed("POST", "/deployments", body, by: ada)
  }

  /// Publishes and deploys, and has the operators approve; the deployment's id.
  func live(_ package: FakePackage, _ more: String = "") async throws -> String {
    try #require(try await publish(package).status == 201)
    let deployment = try await deploy(package, more)
    try #require(deployment.status == 201, "\(deployment.json)")
    if let decision = deployment.json["decisionId"]?.stringValue {
      try await vote("approve", on: decision, by: olga)
    }
    return deployment.json["deploymentId"].text
  }

  /// Makes an app of Acme's.
  func app(_ name: String, _ package: String, version: String? = nil) async throws -> Rig.Reply {
    let version = version.map { #","version":"\#($0)""# } ?? ""
    let body = #"{"name":"\#(name)","package":"\#(package)","org":"\#(acme)"\#(version)}"#
    return try await rig.send("POST", "/apps", body, token: ada.token)
  }

  func call(_ app: String, _ method: String) async throws -> Rig.Reply {
    try await rig.send(
      "POST", "/apps/\(app)/intents", #"{"method":"\#(method)","args":{}}"#, token: ada.token)
  }

  func view(_ app: String, _ method: String) async throws -> Rig.Reply {
    try await rig.send("POST", "/apps/\(app)/views", #"{"method":"\#(method)","args":{}}"#, token: ada.token)
  }

  /// A counter; from 2.0.0 on it counts twice as fast and says which version it came from.
  static func counter(_ version: String) -> FakePackage {
    FakePackage("com.acme.counter", version: version) {
      $0.call("add") { context, _ in
        let sum = (context["count"]?.int64 ?? 0) + (version.hasPrefix("1.") ? 1 : 2)
        context["count"] = JSONValue(sum)
        return JSONValue(sum)
      }
      $0.view("origin") { context, _ in context["from"] ?? .null }
      $0.view("v\(version)") { context, _ in context["count"] ?? 0 }
      $0.migrate { context, args in context["from"] = args["from"] }
    }
  }
}

extension JSONValue? {
  /// A text that has to be there; an empty one leads a test to a refusal it does not expect.
  var text: String { self?.stringValue ?? "" }
}
