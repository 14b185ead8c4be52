import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// Requests that are nearly right: as an operation would have them in this world, with one thing about them wrong.
struct FuzzRequests {
  let world: FuzzWorld
  private let documents: [String: JSONValue]
  private let samples: SampleValue

  init(_ world: FuzzWorld) {
    self.world = world
    // The text is part of the product, and other tests read it.
    let root = (try? JSONValue(parsing: OpenAPIDocument.json)) ?? .null
    samples = SampleValue(document: root)
    var documents: [String: JSONValue] = [:]
    for (path, methods) in root["paths"]?.objectValue ?? [:] {
      for (_, operation) in methods.objectValue ?? [:] {
        guard let id = operation["operationId"]?.stringValue, case .object(var known) = operation else {
          continue
        }
        known["path"] = .string(path)
        documents[id] = .object(known)
      }
    }
    self.documents = documents
  }

  /// The request of an operation with one thing about it wrong, most of the time in its body; one in ten has a body that is
  /// right.
  func request(for operation: ServedOperation, seed: UInt64) async throws -> SealedInnerRequest {
    let random = SeededRandom(seed: seed &* 7919)
    let document = documents[operation.id] ?? .null
    var body = Data()
    switch operation.body {
    case .json:
      let good = try await self.body(of: operation, document, seed)
      body = seed % 10 == 9 ? good.data() : broken(good, seed)
    case .bytes: body = try bytes(of: operation, seed, random)
    case .empty, .stream: break
    }
    // Every other time what is wrong with a request without a body is in its head alone.
    let isInPath = body.isEmpty ? seed % 2 == 0 : seed % 20 == 9
    return SealedInnerRequest(
      method: operation.method, path: path(document, operation, isInPath ? random : nil),
      headers: headers(random), body: body, requestId: seed, sessionId: [])
  }

  /// Sends a request; where the node asks for a passkey or a signature, once more with what it asks for, or nearly that.
  /// Answers the statuses.
  func send(_ request: SealedInnerRequest, seed: UInt64) async throws -> [Int] {
    // Mostly nobody is asked, so that what lies behind the question is reached by requests of all kinds.
    world.cloud.store.withState { $0.waivesQuestions = seed % 5 != 4 }
    let (status, answer) = try await exchange(request)
    guard status == 412 || status == 428 else { return [status] }
    let details = try JSONValue(parsing: answer)["error"]?["details"]
    var (name, value) = try header(answering: details ?? .null, status, request)
    if seed % 3 == 0 {
      value = String(decoding: HostileBody.variant(of: Data(value.utf8), seed: seed), as: UTF8.self)
    }
    var headers = request.headers
    headers[name] = value
    let again = SealedInnerRequest(
      method: request.method, path: request.path, headers: headers, body: request.body,
      requestId: request.requestId, sessionId: [])
    return [status, try await exchange(again).status]
  }

  private func exchange(_ request: SealedInnerRequest) async throws -> (status: Int, body: Data) {
    let cloud = world.cloud
    let server = NodeServer(
      node: cloud.nodes[0], store: cloud.store, document: .shared, notes: cloud.notes)
    let answer = try await server.serve(request, requestId: "r", idleTimeout: nil) { _ in }
    guard answer.response.status >= 400 else {
      answer.response.body.cancel()
      return (answer.response.status, Data())
    }
    return (answer.response.status, try await answer.response.body.collect(upTo: 1 << 20))
  }

  private func header(
    answering question: JSONValue, _ status: Int, _ request: SealedInnerRequest
  ) throws -> (String, String) {
    guard status == 412 else {
      let body = String(decoding: request.body, as: UTF8.self)
      return try world.base.signature(request.method, request.path, body, for: question, by: world.ada)
    }
    let passkey = world.ada.person.passkey
    passkey.counter += 1
    let credential = try #require(try passkey.assertion(for: question)["credential"])
    let id = question["confirmId"].text
    return ("x-calimero-confirm", "v1.\(id).\(Base64URL.encode(Array(credential.data())))")
  }

  // MARK: Bodies

  /// A body that is right in this world.
  private func body(of operation: ServedOperation, _ document: JSONValue, _ seed: UInt64) async throws
    -> JSONValue
  {
    let schema = document["requestBody"]?["content"]?["application/json"]?["schema"] ?? .null
    switch operation.id {
    case "auth_signup_finish":
      return try await registration("/auth/signup/begin", #"{"name":"zoe-\#(seed)"}"#)
    case "auth_passkey_finish": return try await registration("/auth/passkeys/begin", "{}")
    case "auth_signin_finish":
      let passkey = world.ada.person.passkey
      passkey.counter += 1
      return try passkey.assertion(for: try await begun("/auth/signin/begin", "{}"))
    default: break
    }
    if let own = try own[operation.id].map({ try JSONValue(parsing: $0) }) { return own }
    guard case .object(var body) = samples.of(schema) else { return .null }
    for name in body.keys {
      if let id = world.ids[name], body[name]?.stringValue != nil { body[name] = .string(id) }
    }
    return .object(body)
  }

  /// Bodies that samples of their schemas are too far from.
  private var own: [String: String] {
    let (acme, app, team) = (world.base.acme, world.ids["app"] ?? "", world.ids["team"] ?? "")
    let hash = Hex.encode(SHA256.hash(Array("bytes".utf8)))
    let challenge = Base64URL.encode(SHA256.hash(Array(FuzzWorld.verifier.utf8)))
    let register = String(repeating: "ab", count: 48)
    return [
      "auth_signup_begin": #"{"name":"zoe","displayName":"Zoe"}"#,
      "auth_signin_begin": #"{"name":"ada"}"#,
      "auth_refresh": #"{"refreshToken":"\#(world.refreshToken)"}"#,
      "auth_key_create":
        #"{"label":"k","scopes":["apps:view"],"apps":["\#(app)"],"expiresAt":99999999999999}"#,
      "org_member_update": #"{"role":"admin"}"#,
      "org_invite_create": #"{"role":"member","teams":["\#(team)"],"maxUses":2,"expiresInMs":60000}"#,
      "org_invite_accept": #"{"code":"\#(world.inviteCode)"}"#,
      "public_invite_preview": #"{"code":"\#(world.inviteCode)"}"#,
      "app_create":
        #"{"name":"two","package":"com.calimero.chat","org":"\#(acme)","initArgs":{},"orgAccess":"reader"}"#,
      "app_call":
        #"{"method":"send_message","args":{"message":"hi","n":[1,2.50]},"idempotencyKey":"k-1","ifSeq":0}"#,
      "app_view": #"{"method":"get_messages","args":{}}"#,
      "app_upgrade": #"{"version":"1.5.0"}"#,
      "app_upload_begin": #"{"size":5,"sha256":"\#(hash)","contentType":"text/plain","name":"b.txt"}"#,
      "app_search": #"{"query":"hi","kinds":["message"],"limit":5}"#,
      "app_job_create":
        #"{"method":"send_message","args":{"message":"hi"},"timeoutMs":1000,"idempotencyKey":"k-1"}"#,
      "app_timer_create":
        #"{"method":"send_message","args":{"message":"hi"},"schedule":{"cron":"*/5 1-3 * * 1,2"}}"#,
      "consent_request_create": """
      {"package":"com.calimero.chat","scopes":["apps:read"],"apps":[],"redirectUri":"notes://consent",\
      "state":"a-state-of-22-characters","codeChallenge":"\(challenge)","label":"Notes"}
      """,
      "consent_approve": #"{"scopes":["apps:read"],"apps":["\#(app)"]}"#,
      "consent_token": """
      {"requestId":"\(world.approved.request)","code":"\(world.approved.code)",\
      "codeVerifier":"\(FuzzWorld.verifier)"}
      """,
      "signup_create": #"{"org":"\#(world.third)","reason":"An internal chat.","contact":"ada@example.com"}"#,
      "deployment_create": """
      {"package":"com.acme.more","version":"1.0.0","org":"\(acme)","autoUpgrade":true,\
      "redirectUris":["notes://consent"],"idempotencyKey":"k-1"}
      """,
      "deployment_update":
        #"{"version":"1.0.0","state":"paused","autoUpgrade":true,"redirectUris":["notes://consent"]}"#,
      "ops_node_update": #"{"state":"draining"}"#,
      "ops_decision_open": #"{"kind":"org.suspend","subject":"\#(world.other)","payload":{"why":"spam"}}"#,
      "ops_decision_vote": #"{"verdict":"approve","reason":"known"}"#,
      "ops_release_set": """
      {"allowed":true,"profile":"node","measurements":{"mrtd":"\(register)","rtmr0":"\(register)",\
      "rtmr1":"\(register)","rtmr2":"\(register)","rtmr3":"\(register)"}}
      """,
      "ops_quota_set": #"{"apps":9,"members":9,"storageBytes":18446744073709551615,"callsPerDay":1000}"#,
      "public_attest": #"{"nonce":"\#(String(repeating: "ab", count: 32))","includeCollateral":true}"#,
    ]
  }

  private func begun(_ path: String, _ body: String) async throws -> JSONValue {
    world.cloud.store.withState { $0.waivesQuestions = true }
    return try await world.rig.send("POST", path, body, token: world.token).json
  }

  private func registration(_ path: String, _ body: String) async throws -> JSONValue {
    try HandPasskey().registration(for: try await begun(path, body))
  }

  /// A body with something wrong in it. What an authenticator made is half of the time wrong inside its bytes, so that those
  /// who read them get them to read.
  private func broken(_ good: JSONValue, _ seed: UInt64) -> Data {
    guard seed % 2 == 0, case .object(var body) = good, case .object(var credential)? = body["credential"],
      case .object(var response)? = credential["response"]
    else { return HostileBody.variant(of: good.data(), seed: seed) }
    let name = response.keys[SeededRandom(seed: seed).below(response.count)]
    let bytes = (response[name]?.stringValue).flatMap { try? Base64URL.decode($0) } ?? []
    let changed = HostileBody.variant(of: Data(bytes), seed: seed / 2)
    response[name] = .string(Base64URL.encode(Array(changed)))
    credential["response"] = .object(response)
    body["credential"] = .object(credential)
    return JSONValue.object(body).data()
  }

  private func bytes(of operation: ServedOperation, _ seed: UInt64, _ random: SeededRandom) throws -> Data {
    switch operation.id {
    case "app_upload_part" where seed % 3 == 0: return Data(random.bytes(FuzzWorld.part))
    case "package_publish":
      let seedOfKey = OperatorWorld.publisher
      guard seed % 2 == 0 else {
        let good = try OperatorWorld.counter("1.\(seed).0").bundle(signedBy: seedOfKey)
        return seed % 10 == 9 ? good : HostileBody.variant(of: good, seed: seed)
      }
      // The signature holds, so that what is signed is looked at.
      func text(_ good: String) -> String {
        guard random.below(4) == 0 else { return good }
        return String(
          decoding: HostileBody.variant(of: Data(good.utf8), seed: UInt64(random.below(99))), as: UTF8.self)
      }
      let manifest = PackageBundle.Manifest(
        package: text("com.acme.counter"), version: text("2.\(seed).0"), name: text("Counter"),
        summary: text("It counts."), icon: text("https://example.com/i.png"), minCore: text("1.0.0"))
      return try PackageBundle.make(manifest, code: Data(random.bytes(9)), signedBy: seedOfKey)
    default: return Data(random.bytes(random.below(4_096)))
    }
  }

  // MARK: Heads

  private func headers(_ random: SeededRandom) -> HTTPHeaders {
    var headers: HTTPHeaders = ["authorization": "Bearer \(world.token)"]
    if random.below(8) == 0 {
      headers["range"] = ["bytes=0-", "bytes=9-1", "x", "bytes=-0"][random.below(4)]
    }
    if random.below(8) == 0 { headers["x-calimero-confirm"] = "v1.crq_1.\(random.below(99))" }
    if random.below(8) == 0 {
      headers["x-calimero-operator-signature"] =
        ["", "v1", "v1.sgn_1.00.AA", "v1...", "v1.sgn_1.é.="][
          random.below(5)]
    }
    if random.below(8) == 0 {
      headers["x-calimero-min-seq"] = ["-1", "x", "18446744073709551615"][random.below(3)]
    }
    return headers
  }

  /// The path with the ids that are there, and with one of them or a query item replaced.
  private func path(_ document: JSONValue, _ operation: ServedOperation, _ random: SeededRandom?) -> String {
    let template = document["path"]?.stringValue ?? ""
    let names = operation.pathParameters + operation.query.keys.sorted()
    let broken = random.flatMap { random in names.isEmpty ? nil : names[random.below(names.count)] }
    func value(_ name: String) -> String {
      let good = world.ids[name] ?? "x"
      guard name == broken, let random else { return good }
      let bad = [
        "", "%00", "%ff", "..", "%2F", "a%20b", "-1", "1e9", "18446744073709551616", "true", "oldest",
        String(repeating: "z", count: 5_000), good + "x",
      ]
      return bad[random.below(bad.count)]
    }
    var path = template.split(separator: "/").map { part in
      part.hasPrefix("{") ? value(String(part.dropFirst().dropLast())) : String(part)
    }.joined(separator: "/")
    let query = operation.query.keys.sorted().filter { name in
      name == broken || operation.query[name]?.isRequired == true
    }.map { "\($0)=\(value($0))" }
    path = "/" + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    return path
  }
}
