import MeroWire

/// Logging in with a password, over the API or on the login page (10 §2.2).
extension NodeState {
  /// Lets somebody try a door, and counts failures at it.
  mutating func logIn(
    at door: LoginThrottle.Door, now: Int64, _ attempt: (inout NodeState) throws(NodeRefusal) -> NodeKey
  ) throws(NodeRefusal) -> NodeKey {
    if let wait = auth.throttle.wait(at: door, now: now) {
      throw NodeRefusal(429, "Too many failed attempts", .service, headers: ["retry-after": "\(wait)"])
    }
    do throws(NodeRefusal) {
      let key = try attempt(&self)
      auth.throttle.succeeded(at: door)
      return key
    } catch {
      if error.status == 401 { auth.throttle.failed(at: door, now: now) }
      throw error
    }
  }

  /// The key of the user with this password. On a node that nobody owns yet, whoever comes first becomes its owner.
  mutating func key(of name: String, password: String, at now: Int64) throws(NodeRefusal) -> NodeKey {
    guard !name.isEmpty, (1...NodeAuth.passwordLength.upperBound).contains(password.count) else {
      throw .service(401, "Authentication failed: invalid credentials")
    }
    if auth.awaitsOwner {
      guard let key = auth.claim(name, password: password, at: now) else {
        throw .service(401, "Authentication failed: a new password has 8 to 128 characters")
      }
      return key
    }
    guard let key = auth.key(of: name, password: password), key.isLive(at: now) else {
      throw .service(401, "Authentication failed: invalid username or password")
    }
    return key
  }
}
