import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Authenticates one request without a session: the header `X-Calimero-Proof` (30 §14).
///
/// ```swift
/// let proof = RequestProof(method: "GET", path: "/admin-api/contexts", body: Data(), issuedAt: now, expiresAt: now + 120)
/// request.headers[RequestProof.header] = try proof.value(credential: credential, keys: keys)
/// ```
///
/// It is never sent together with a bearer: a node that sees a token judges by the token alone.
public struct RequestProof: Sendable, Hashable {
  /// The header's name.
  public static let header = "x-calimero-proof"
  /// How long a proof is good, in seconds.
  public static let lifetime: UInt64 = 120

  /// As on the wire, in upper case.
  public var method: String
  /// The percent-encoded path as the node sees it, without the query.
  public var path: String
  /// The very bytes that are sent; empty for none.
  public var body: Data
  /// Unix seconds.
  public var issuedAt: UInt64
  /// Unix seconds.
  public var expiresAt: UInt64

  /// A proof of these parts.
  public init(method: String, path: String, body: Data, issuedAt: UInt64, expiresAt: UInt64) {
    self.method = method
    self.path = path
    self.body = body
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// What stands for the body, 32 bytes.
  public var bodyHash: Data { Data(domainHash("calimero.auth.request.body.v1", [Array(body)])) }

  /// What is signed, 32 bytes.
  public var preimage: Data {
    Data(
      domainHash(
        "calimero.auth.request.v1",
        [
          Array(method.utf8), Array(path.utf8), Array(bodyHash), LittleEndian.bytes(issuedAt),
          LittleEndian.bytes(expiresAt),
        ]))
  }

  /// The header's value, signed by the device.
  public func value(credential: String, keys: DeviceKeys) throws(AccountError) -> String {
    try value(credential: credential, session: nil, signature: try keys.sign(Array(preimage)))
  }

  /// The header's value, signed by a session's key; the statement, signed by the device, names that key and the node. Only
  /// this form is good at one node alone.
  ///
  /// - Parameters:
  ///   - statement: a signed ``LoginStatement``, hex.
  ///   - sessionSecret: the session key's seed, 32 bytes.
  public func value(
    credential: String, statement: String, sessionSecret: Data
  ) throws(AccountError) -> String {
    let signature: [UInt8]
    do {
      signature = try Ed25519.PrivateKey(seed: sessionSecret).sign(preimage)
    } catch { throw .invalidInput("a session key's secret is 32 bytes") }
    return try value(
      credential: credential, session: try HexField.bytes(statement, nil, "the statement"),
      signature: signature)
  }

  /// The request's part of the proof, without the signature.
  package var unsigned: [UInt8] {
    var writer = BorshWriter()
    writer.string(method)
    writer.string(path)
    writer.fixed(bodyHash)
    writer.u64(issuedAt)
    writer.u64(expiresAt)
    return writer.bytes
  }

  private func value(
    credential: String, session: [UInt8]?, signature: [UInt8]
  ) throws(AccountError) -> String {
    var writer = BorshWriter()
    writer.fixed(try GovernanceOps.bytes(of: credential))
    writer.option(session) { $0.fixed($1) }
    writer.fixed(unsigned)
    writer.fixed(signature)
    return Hex.encode(writer.bytes)
  }
}
