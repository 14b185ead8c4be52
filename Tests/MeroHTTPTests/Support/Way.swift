import Foundation
import Testing

@testable import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The ways in which a transport reaches the network here. What is promised holds on each.
enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// What everybody gets who asks for nothing else.
  case usual
  #if canImport(CCurl)
    /// libcurl, with connections that are used again at once and for as long as they are open.
    case kept
    /// A session that was given.
    case session
  #endif

  /// Those that hold back the sender of a body that nobody reads.
  static var holdingBack: [Way] {
    #if canImport(CCurl)
      [.usual, .kept]
    #else
      allCases
    #endif
  }

  /// Those that a server may leave after each answer without a word.
  static var cautious: [Way] {
    #if canImport(CCurl)
      [.usual, .session]
    #else
      allCases
    #endif
  }

  var testDescription: String { rawValue }

  /// - Parameter proof: how long an idle connection has to stay open before its host is taken for one that keeps them,
  ///   where that is not the usual time.
  func transport(clock: MeroClock = .system, proof: TimeInterval? = nil) -> URLSessionTransport {
    switch self {
    case .usual:
      #if canImport(CCurl)
        if let proof {
          return URLSessionTransport(
            connections: CurlConnections(rules: KeptConnections.Rules(proof: proof)), clock: clock)
        }
      #endif
      return URLSessionTransport(clock: clock)
    #if canImport(CCurl)
      case .kept:
        return URLSessionTransport(connections: CurlConnections(rules: .untilClosed), clock: clock)
      case .session:
        return URLSessionTransport(session: URLSession(configuration: .ephemeral), clock: clock)
    #endif
    }
  }
}

#if canImport(CCurl)
  extension KeptConnections.Rules {
    /// However slow the machine is, a connection is used again.
    static let untilClosed = KeptConnections.Rules(proof: 0, idleSeconds: 10_000)
  }
#endif

/// Each of the one with each of the other.
func pairs<A: Sendable, B: Sendable>(_ one: [A], _ other: [B]) -> [(A, B)] {
  one.flatMap { a in other.map { b in (a, b) } }
}
