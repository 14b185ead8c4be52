#if canImport(CCurl)
  import Foundation

  /// Which hosts keep connections open after an answer, learned from the connections that lie idle.
  ///
  /// A request on a kept connection can meet the server's end of it: then nobody knows whether it ran. So a connection is
  /// used again only where the host has shown that it keeps them: one of its connections has been idle for
  /// `Rules.proof` and is still open. A host that closes earlier, or that let a request on a kept connection die, gets a new
  /// connection for each request for a while. And an idle one is given up (`Rules.idleSeconds`) before servers do so.
  struct KeptConnections {
    struct Rules: Sendable {
      /// How long a connection has to stay open, idle, to prove that its host keeps connections.
      var proof: TimeInterval = 0.05
      /// A connection that was idle for longer is not used again. Common servers close theirs after five seconds or
      /// more; libcurl counts whole seconds, so this means a little less than four.
      var idleSeconds = 3
      /// How long a host that does not keep its connections is believed not to.
      var doubt: TimeInterval = 60
      /// Idle connections beyond those in use.
      var idleCount = 32
    }

    private enum Verdict {
      case unknown, keeps
      case closes(until: TimeInterval)
    }

    private struct Idle {
      var since: TimeInterval
      var port: Int32
    }

    private struct Host {
      var verdict = Verdict.unknown
      /// The idle connections by their sockets.
      var idle: [Int32: Idle] = [:]
    }

    private static let hostLimit = 1_000

    let rules: Rules
    private var hosts: [String: Host] = [:]

    init(rules: Rules) {
      self.rules = rules
    }

    /// An exchange has ended and left its connection, with this port of ours, open.
    mutating func add(_ socket: Int32, port: Int32, of origin: String, at now: TimeInterval) {
      // Whoever talks to so many hosts begins to learn anew.
      if hosts[origin] == nil, hosts.count >= Self.hostLimit { hosts = [:] }
      hosts[origin, default: Host()].idle[socket] = Idle(since: now, port: port)
    }

    /// The connection with this port of ours is about to be used: whether it was used before. A proxy's connection may have
    /// been another host's until now.
    mutating func use(port: Int32) -> Bool {
      for (origin, host) in hosts {
        guard let idle = host.idle.first(where: { $0.value.port == port }) else { continue }
        hosts[origin]?.idle[idle.key] = nil
        return true
      }
      return false
    }

    /// What was learned, for a time when none of these connections is there any more.
    var withoutConnections: KeptConnections {
      var rest = self
      for origin in hosts.keys { rest.hosts[origin]?.idle = [:] }
      return rest
    }

    /// The connection is closed.
    mutating func remove(_ socket: Int32) {
      for (origin, host) in hosts where host.idle[socket] != nil { hosts[origin]?.idle[socket] = nil }
    }

    /// A request on a kept connection got no answer.
    mutating func died(_ origin: String, at now: TimeInterval) {
      hosts[origin, default: Host()].verdict = .closes(until: now + rules.doubt)
    }

    /// Whether a request may go over a connection that was used before.
    ///
    /// - Parameter isQuiet: whether an idle connection is open and nothing has come over it.
    mutating func mayUseAgain(
      _ origin: String, at now: TimeInterval, isQuiet: (Int32) -> Bool
    ) -> Bool {
      guard var host = hosts[origin] else { return false }
      defer { hosts[origin] = host }
      switch host.verdict {
      case .keeps: return true
      case .closes(let until) where now < until: return false
      case .closes, .unknown: host.verdict = judge(&host, at: now, isQuiet: isQuiet)
      }
      if case .keeps = host.verdict { return true }
      return false
    }

    private func judge(_ host: inout Host, at now: TimeInterval, isQuiet: (Int32) -> Bool) -> Verdict {
      var verdict = Verdict.unknown
      for (socket, idle) in host.idle {
        if isQuiet(socket) {
          if now - idle.since >= rules.proof { verdict = .keeps }
          continue
        }
        host.idle[socket] = nil
        if now - idle.since < rules.proof { return .closes(until: now + rules.doubt) }
      }
      return verdict
    }
  }
#endif
