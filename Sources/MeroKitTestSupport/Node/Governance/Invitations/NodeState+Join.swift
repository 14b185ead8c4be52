import Foundation
import MeroWire

/// What a node says to a claim that another node brings.
enum Admission: Sendable {
  /// The node does not take part in the namespace.
  case unknown
  /// It does, and is not one of those who may admit.
  case notAdmitter
  case refused(NodeRefusal)
  /// Joined; this is the namespace's log.
  case admitted(namespace: String, [LogEntry])
}

extension NodeState {
  /// Joins a group on an invitation, asking the linked nodes for admission.
  mutating func join(_ invitation: GroupInvitation, named idName: String, _ exchange: NodeExchange)
    throws(NodeRefusal) -> NodeAnswer
  {
    let group = invitation.groupId
    try invitation.checkSignature()
    let identity = governance.identity
    let answer = NodeAnswer.data([
      idName: .string(group), "memberIdentity": .string(identity.key),
      "memberAccount": .string(identity.account),
    ])
    if let home = try? governance.home(of: group),
      home.log.tree.path(of: identity.account, in: group) == .direct
    {
      return answer
    }
    let claim = JoinClaim(
      invitation: invitation, device: governance.secrets.credential.bound, joinedAt: exchange.seconds)
    let peers = links.outgoing
    let now = exchange.now
    return .outside {
      let admission = Self.ask(peers, claim, at: now)
      return { state, exchange in try state.finish(admission, answer, at: exchange.now) }
    }
  }

  /// The first answer that decides: who admits, or refuses knowing why.
  private static func ask(_ peers: [NodeWire], _ claim: JoinClaim, at now: Date) -> Admission {
    var best = Admission.unknown
    for peer in peers {
      let admission = peer.store?.withState { $0.admit(claim, at: now) } ?? .unknown
      switch admission {
      case .admitted, .refused: return admission
      case .notAdmitter: best = .notAdmitter
      case .unknown: break
      }
    }
    return best
  }

  /// Admits a claim that another node brings.
  private mutating func admit(_ claim: JoinClaim, at now: Date) -> Admission {
    guard let home = try? governance.home(of: claim.invitation.groupId) else { return .unknown }
    let admitters = claim.invitation.admitters
    guard admitters.isEmpty || admitters.contains(governance.identity.account) else { return .notAdmitter }
    do throws(NodeRefusal) {
      try governance.write(
        .memberJoined(claim), in: claim.invitation.groupId, by: claim.device.account, at: now.unixMilliseconds
      )
    } catch { return .refused(error) }
    settle(at: now)
    return .admitted(namespace: home.id, governance.namespaces[home.id]?.log.entries ?? [])
  }

  /// Takes the membership in. What is in the namespace comes over the link, after its delay.
  private mutating func finish(_ admission: Admission, _ answer: NodeAnswer, at now: Date) throws(NodeRefusal)
    -> NodeAnswer
  {
    switch admission {
    case .unknown: throw NodeRefusal(504, "no member of the namespace answered")
    case .notAdmitter: throw .notYet("a member answered, and none that may admit")
    case .refused(let refusal): throw refusal
    case .admitted(let id, let entries):
      governance.merge(entries, of: id, arrival: isSyncHeld ? .held : .awaited)
      settle(at: now)
    }
    return governance.joinDelay > 0 ? .pause(governance.joinDelay) { _, _ in answer } : answer
  }

  /// Pulls what linked nodes have of the namespaces that are known here, then answers.
  func pullingFromPeers(_ answer: @escaping NodeHandler) -> NodeAnswer {
    let peers = links.outgoing
    let ids = governance.known.map(\.id)
    return .outside {
      let contents = peers.flatMap { peer in
        peer.store?.withState { state in ids.flatMap { state.everything(of: $0) } } ?? []
      }
      return { state, exchange in
        for content in contents { state.take(content, at: exchange.now) }
        state.settle(at: exchange.now)
        return try answer(&state, exchange)
      }
    }
  }
}

extension Date {
  /// Unix milliseconds.
  var unixMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
