import Foundation
import MeroCrypto

/// Something that signs requests as an operator of the cluster: a key in memory, a token, a service.
public protocol OperatorSigner: Sendable {
  /// The Ed25519 public key, 32 bytes.
  var publicKey: [UInt8] { get }

  /// Signs ``OperatorStatement/bytes`` with Ed25519, after showing the statement to whoever decides.
  ///
  /// Throw a `CancellationError` or ``OperatorFailure`` to decline.
  /// - Returns: 64 bytes.
  func sign(_ statement: OperatorStatement) async throws -> [UInt8]
}

/// What an operator is asked to sign: one request, to one cluster, for a few minutes (70 §2.12).
public struct OperatorStatement: Sendable, Hashable {
  /// The bytes that are signed.
  public let bytes: [UInt8]
  /// One line for a person, written by the node: a hint. What counts is in the other fields, which the
  /// client took from the request itself.
  public let summary: String
  /// The operation's id, such as `ops_decision_vote`.
  public let action: String
  /// The HTTP method, in capitals.
  public let method: String
  /// Path and query of the request.
  public let path: String
  /// The body that is sent, when there is one.
  public let body: Data?
  /// The cluster's id, 32 bytes.
  public let clusterId: [UInt8]
  /// The challenge's nonce, 32 bytes.
  public let nonce: [UInt8]
  /// When the node asked, in Unix milliseconds.
  public let issuedAt: Int64
  /// When the signature stops being good, in Unix milliseconds.
  public let expiresAt: Int64

  package init(
    method: String, path: String, body: Data?, action: String, summary: String, clusterId: [UInt8],
    nonce: [UInt8], issuedAt: Int64, expiresAt: Int64
  ) {
    let statement = RequestStatement(method: method, innerPath: path, body: body)
    bytes = statement.bytes(
      domain: "calimero/operator/1", clusterId: clusterId, times: [issuedAt, expiresAt], nonce: nonce)
    self.summary = summary
    self.action = action
    self.method = statement.method
    self.path = path
    self.body = body
    self.clusterId = clusterId
    self.nonce = nonce
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }
}

/// An operator's key held in memory.
///
/// ```swift
/// await cloud.useOperatorSigner(try Ed25519OperatorKey(raw: seed))
/// ```
public struct Ed25519OperatorKey: OperatorSigner {
  private let key: Ed25519.PrivateKey

  /// Takes the 32 bytes of an Ed25519 seed.
  ///
  /// - Throws: ``CalimeroError/operatorSignature(_:)`` with ``OperatorFailure/invalidKey``.
  public init(raw: some ContiguousBytes) throws {
    guard let key = try? Ed25519.PrivateKey(seed: raw) else {
      throw CalimeroError.operatorSignature(.invalidKey)
    }
    self.key = key
  }

  /// The public key, 32 bytes.
  public var publicKey: [UInt8] { key.publicKey.bytes }

  /// Signs the statement's bytes.
  public func sign(_ statement: OperatorStatement) throws -> [UInt8] { try key.sign(statement.bytes) }
}
