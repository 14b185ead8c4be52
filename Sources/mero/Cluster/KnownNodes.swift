import Foundation
import MeroKit

/// The nodes of the cluster that a session belongs to, in a file beside it, so that a command finds another node when the one
/// that signed the person in is away. They are trusted for nothing: each is attested before it is told anything.
struct KnownNodes {
  private struct Record: Codable {
    var clusterId: String
    var nodes: [URL]
  }

  private let path: String

  init(beside session: String) { path = session + ".nodes" }

  /// The nodes of the session's cluster, as far as they are known.
  func nodes(of session: StoredSession) -> [URL]? {
    guard let record, record.clusterId == session.clusterId else { return nil }
    return record.nodes.filter(Self.isUsable)
  }

  /// What a client would refuse is left out: nobody who names a session has named these.
  private static func isUsable(_ node: URL) -> Bool {
    (try? ClientConfiguration.nodeURL(node.absoluteString)) != nil
  }

  /// A file that cannot be written is no reason to fail: what was asked for is done.
  func remember(_ nodes: [URL], of session: StoredSession) {
    let new = Record(clusterId: session.clusterId, nodes: nodes.filter(Self.isUsable))
    guard let data = try? JSONEncoder().encode(new) else { return }
    try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private var record: Record? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    return try? JSONDecoder().decode(Record.self, from: data)
  }
}
