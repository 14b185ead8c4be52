import Foundation
import MeroHTTP
import MeroWire

extension CalimeroClient {
  /// How one node of the ring stands.
  public struct NodeState: Sendable, Hashable {
    /// What the client makes of a node's attestation.
    public enum Trust: Sendable, Hashable {
      /// It was not asked yet, or the last answer is too old.
      case unknown
      /// It was accepted.
      case trusted(NodeAttestation)
      /// It was not accepted; the node is not used for this many seconds.
      case refused(CalimeroError, secondsLeft: TimeInterval)
    }

    /// The node's base URL.
    public let url: URL
    /// The node's own id, once an answer named it.
    public let nodeId: String?
    /// What the client makes of its attestation.
    public let trust: Trust
    /// Whether the next request goes here first.
    public let isCurrent: Bool
    /// Whether it came from the cluster's list and not from the options.
    public let isDiscovered: Bool
    /// Whether a sealed session is open.
    public let hasSession: Bool
    /// Failures in a row.
    public let failures: Int
    /// Seconds for which other nodes are preferred after a failure; 0 when the node is well.
    public let coolingSeconds: TimeInterval

    init(_ node: NodeRing.Node, in ring: NodeRing, hasSession: Bool, at now: TimeInterval) {
      url = node.url
      nodeId = node.id
      isCurrent = ring.current == node.url
      isDiscovered = node.isDiscovered
      self.hasSession = hasSession
      failures = node.failures
      coolingSeconds = max(0, node.coolUntil - now)
      if let attested = ring.trusted(node.url, at: now) {
        trust = .trusted(NodeAttestation(attested, of: node.url))
      } else if case .refused(let until, let failure) = node.trust, now < until {
        trust = .refused(failure, secondsLeft: until - now)
      } else {
        trust = .unknown
      }
    }
  }

  /// An attestation that was accepted.
  public struct NodeAttestation: Sendable, Hashable {
    /// The node's base URL.
    public let node: URL
    /// The cluster the quote commits to, 64 hex characters.
    public let clusterId: String
    /// The key requests are sealed to, 64 hex characters.
    public let transportKey: String
    /// The mero-tee release whose measurements the quote shows.
    public let release: String?
    /// Whether it is a mock quote, which proves nothing about hardware.
    public let isMock: Bool
    /// When it was checked.
    public let checkedAt: Date

    init(_ attested: AttestedNode, of node: URL) {
      self.node = node
      clusterId = attested.clusterId
      transportKey = Hex.encode(attested.transportKey)
      release = attested.release
      isMock = attested.isMock
      checkedAt = attested.at
    }
  }

  /// How each node of the ring stands, in ring order; nothing when an option of the client cannot be used.
  public func nodeStates() async -> [NodeState] {
    await (try? core.pool())?.states() ?? []
  }

  /// The accepted attestation of a node, the base URL's when none is named. The node is attested if it was not, or if
  /// that is more than a day ago.
  ///
  /// - Throws: ``CalimeroError/attestation(_:)``, ``CalimeroError/unreachable(_:)``, or
  ///   ``CalimeroError/invalidInput(_:)`` for a URL that is not in the ring.
  public func attestation(of node: String? = nil) async throws -> NodeAttestation {
    let pool = try core.pool()
    let base = await pool.base
    guard let url = await pool.member(named: node ?? base.absoluteString) else {
      throw CalimeroError.invalidInput("\(node ?? "") is none of this client's nodes.")
    }
    await core.engine.expectCluster()
    do {
      return NodeAttestation(try await pool.attestation(of: url), of: url)
    } catch AttestationTrouble.refused(let failure) {
      throw failure
    } catch let error as CalimeroError {
      throw error
    } catch AttestationTrouble.unreachable(let cause) {
      throw CalimeroError.unreachable(Unreachable(failures: [.init(node: url, cause: cause)]))
    } catch let error as TransportError {
      throw CalimeroError.unreachable(Unreachable(failures: [.init(node: url, cause: error.text)]))
    } catch is CancellationError {
      throw CalimeroError.cancelled
    } catch {
      // A transport of the caller's own may throw what it likes.
      throw CalimeroError.unreachable(Unreachable(failures: [.init(node: url, cause: "\(error)")]))
    }
  }

  /// Attests every node again before its next use, those that were refused too.
  public func forgetAttestations() async {
    await (try? core.pool())?.forgetAttestations()
  }
}
