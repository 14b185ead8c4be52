import Foundation
import MeroCrypto

/// One session as a node holds it.
struct NodeSession: Sendable {
  let requestCipher: AESGCM
  let responseCipher: AESGCM
  /// By the clock's uptime: from here on the session is gone and its responses are cut.
  let endsAt: TimeInterval
  fileprivate var lastUsedAt: TimeInterval
  fileprivate var window = ReplayWindow()
}

/// The sessions of a node: each ends by age or disuse, and the least recently used one gives way when there are too
/// many.
struct NodeSessions: Sendable {
  private let limits: SealedLimits
  private var sessions: [[UInt8]: NodeSession] = [:]

  init(limits: SealedLimits) {
    self.limits = limits
  }

  mutating func add(_ id: [UInt8], keys: NoiseKeys, at uptime: TimeInterval) throws(CryptoError) {
    let session = NodeSession(
      requestCipher: try AESGCM(key: keys.request), responseCipher: try AESGCM(key: keys.response),
      endsAt: uptime + TimeInterval(limits.lifetime), lastUsedAt: uptime)
    if sessions.count >= limits.sessions { makeRoom(at: uptime) }
    sessions[id] = session
  }

  /// The live session of that id.
  mutating func find(_ id: [UInt8], at uptime: TimeInterval) -> NodeSession? {
    guard let session = sessions[id] else { return nil }
    guard isLive(session, at: uptime) else {
      sessions[id] = nil
      return nil
    }
    return session
  }

  /// Takes a request id; `nil` when the session is gone.
  mutating func admit(_ requestId: UInt64, in id: [UInt8], at uptime: TimeInterval) -> Bool? {
    guard find(id, at: uptime) != nil else { return nil }
    let isNew = sessions[id]?.window.admit(requestId) ?? false
    if isNew { sessions[id]?.lastUsedAt = uptime }
    return isNew
  }

  mutating func removeAll() {
    sessions = [:]
  }

  private func isLive(_ session: NodeSession, at uptime: TimeInterval) -> Bool {
    uptime < session.endsAt && uptime - session.lastUsedAt < limits.idle
  }

  private mutating func makeRoom(at uptime: TimeInterval) {
    sessions = sessions.filter { isLive($0.value, at: uptime) }
    guard sessions.count >= limits.sessions else { return }
    // Several at once: with one, every further handshake would look through all of them again.
    let excess = sessions.count - limits.sessions + max(1, limits.sessions / 16)
    let oldest = sessions.sorted { $0.value.lastUsedAt < $1.value.lastUsedAt }.prefix(excess)
    for session in oldest { sessions[session.key] = nil }
  }
}
