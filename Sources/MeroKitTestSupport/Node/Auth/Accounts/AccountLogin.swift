import MeroWire

/// Logins of accounts at a relay: `account_proof` (30 §13, 40 §18.4).
enum AccountLogin {
  static let rows: [NodeRoute] = [NodeRoute(.get, "/auth/challenge", "public", challenge)]

  private static let challenge: NodeHandler = { state, exchange in
    guard state.relay != nil else { throw NodeRefusal(404, "", .none) }
    let text = state.makeId()
    state.auth.challenges.issue(text, at: exchange.seconds)
    return .service(["challenge": .string(text)])
  }

  private static let names = ["auth_method", "public_key", "client_name", "timestamp", "provider_data"]
  private static let proofs = ["challenge", "login_statement", "account_proof"]

  /// A key of the account's, for tokens that belong to it and its device. The challenge is spent, however this ends.
  static func key(
    _ fields: AuthFields, _ state: inout NodeState, _ exchange: NodeExchange
  ) throws(NodeRefusal) -> NodeKey {
    guard state.relay != nil else { throw refusal("no provider for account_proof") }
    guard let data = fields.object["provider_data"]?.objectValue else { throw refusal("there is no proof") }
    for (object, known) in [(fields.object, names), (data, proofs)] {
      if let unknown = object.keys.first(where: { !known.contains($0) }) {
        throw NodeRefusal(400, "unknown field `\(unknown)`", .serviceField)
      }
    }
    guard let challenge = data["challenge"]?.stringValue,
      state.auth.challenges.spend(challenge, at: exchange.seconds)
    else { throw refusal("the challenge is not one of this node's, or it was used") }
    let (statement, credential) = try read(data)
    guard Hex.encode(statement.challenge) == challenge else { throw refusal("another challenge was signed") }
    guard Hex.encode(statement.node) == state.governance.identity.key else {
      throw refusal("the statement is for another node")
    }
    guard fields.object["public_key"]?.stringValue == Hex.encode(statement.sessionKey) else {
      throw refusal("the statement names another session key")
    }
    let window = SignedWindow(issuedAt: statement.issuedAt, expiresAt: statement.expiresAt)
    guard window.isOpen(at: exchange.seconds, atMost: SignedLogin.longest) else {
      throw refusal("the statement is not good now")
    }
    guard statement.deviceKey == credential.signingKey, statement.isSigned else {
      throw refusal("the statement is not signed by the device")
    }
    state.auth.logins.append(statement)
    return state.auth.addKey(
      .account(Hex.encode(credential.account), device: Hex.encode(credential.signingKey)),
      publicKey: Hex.encode(statement.sessionKey), method: "account_proof",
      name: fields.object["client_name"]?.stringValue ?? "", permissions: FakeNode.accountPermissions,
      at: exchange.seconds)
  }

  private static func read(_ data: JSONObject) throws(NodeRefusal) -> (SignedLogin, DeviceCredential) {
    let statement: SignedLogin
    let credential: DeviceCredential
    do {
      statement = try SignedLogin(hex: data["login_statement"]?.stringValue ?? "")
      credential = try DeviceCredential(
        hex: data["account_proof"]?.stringValue ?? "", field: "account_proof")
    } catch { throw refusal("the statement or the account's proof does not hold") }
    return (statement, credential)
  }

  private static func refusal(_ reason: String) -> NodeRefusal {
    .service(401, "Authentication failed: \(reason)")
  }
}

/// The challenges of a node: each is good once, and not for long.
struct LoginChallenges: Sendable {
  private static let lifetime: Int64 = 120
  private var open: [String: Int64] = [:]

  mutating func issue(_ challenge: String, at seconds: Int64) {
    open = open.filter { $0.value >= seconds }
    open[challenge] = seconds + Self.lifetime
  }

  mutating func spend(_ challenge: String, at seconds: Int64) -> Bool {
    guard let end = open.removeValue(forKey: challenge) else { return false }
    return seconds <= end
  }
}
