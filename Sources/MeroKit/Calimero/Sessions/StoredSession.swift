import Foundation
import MeroAPI
import MeroWire

/// A session as it is kept between two runs of a program: the tokens, and when and by which node they were
/// given. A secret.
public struct StoredSession: Codable, Sendable, Hashable {
  /// The form of the record, 1.
  public let version: Int
  /// The cluster it belongs to, 64 lower-case hex characters.
  public let clusterId: String
  /// The base URL of the node that gave the tokens. For half a minute other nodes may not know them yet.
  public let issuedBy: URL?
  /// When it was saved, by this device's clock, in Unix milliseconds.
  public let savedAt: Int64
  /// The session.
  public let session: Components.Schemas.Session

  /// A record of a session.
  public init(session: Components.Schemas.Session, issuedBy: URL?, savedAt: Int64) {
    version = 1
    clusterId = session.clusterId
    self.issuedBy = issuedBy
    self.savedAt = savedAt
    self.session = session
  }

  /// Reads a record; nil when it is not one, or one of a later form.
  package init?(record: Data) {
    guard let stored = try? ExactJSON.decode(StoredSession.self, from: record), stored.version == 1 else {
      return nil
    }
    self = stored
  }

  /// The record as JSON.
  package func record() throws -> Data { try ExactJSON.encode(self) }
}

extension StoredSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whose session it is; never a token.
  public var description: String { "session \(session.sessionId) of \(session.name) (\(session.accountId))" }
  /// Whose session it is; never a token.
  public var debugDescription: String { description }
  /// Whose session it is; never a token.
  public var customMirror: Mirror {
    Mirror(self, children: ["sessionId": session.sessionId, "accountId": session.accountId])
  }
}

extension StoredSession {
  /// How far the cluster's clock was ahead of this device's when the tokens were given, in seconds: one of their times
  /// is given by the cluster's clock and as a span too.
  var nodeTimeOffset: TimeInterval {
    (Double(session.accessExpiresAt) - Double(session.accessExpiresInMs) - Double(savedAt)) / 1000
  }

  /// Whether its tokens can stand in a header: others would be refused here for ever, and have replaced those that worked.
  var canBeSent: Bool {
    [session.accessToken, session.refreshToken].allSatisfy { token in
      !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }

  var account: CalimeroAccount { CalimeroAccount(accountId: session.accountId, name: session.name) }

  func isSameAccount(as other: StoredSession) -> Bool {
    clusterId == other.clusterId && session.accountId == other.session.accountId
  }

  /// Whether another process put it there after `held` was saved. An older record is one this client could not
  /// replace, and its refresh token is spent. The cluster's times tell first: this device's clock may have been set
  /// back.
  func isSuccessor(of held: StoredSession) -> Bool {
    isSameAccount(as: held) && session.refreshToken != held.session.refreshToken
      && (session.accessExpiresAt, savedAt) >= (held.session.accessExpiresAt, held.savedAt)
  }
}
