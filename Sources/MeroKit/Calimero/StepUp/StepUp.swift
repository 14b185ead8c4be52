import Foundation
import MeroAPI
import MeroCrypto
import MeroWire

/// Answers to a node that wants more than a session for a request: a person's passkey or an operator's
/// signature. Both recompute what is signed from the client's own request before anyone is asked.
enum StepUp {
  /// What `x-calimero-confirm` has to hold for a request that was answered with 412 (70 §2.11).
  ///
  /// - Parameters:
  ///   - challenge: the refusal's details, a `ConfirmChallenge`.
  ///   - nodeTime: the node's clock as last seen.
  ///   - node: the client's base URL, for a passkey in software.
  /// - Throws: ``CalimeroError/confirm(_:)``, ``CalimeroError/passkey(_:)``, ``CalimeroError/decoding(_:)``
  ///   or ``CalimeroError/cancelled``.
  static func confirmHeader(
    challenge: JSONValue, request: APIRequest, clusterId: [UInt8], nodeTime: Date,
    provider: any PasskeyProvider, node: URL? = nil
  ) async throws -> String {
    let asked: Components.Schemas.ConfirmChallenge = try read(challenge, for: request)
    try check(asked, request: request, clusterId: clusterId, nodeTime: nodeTime)
    do {
      let credential = try await PasskeyCeremony.get(with: provider, asked.options, at: node)
      return "v1.\(asked.confirmId).\(Base64URL.encode(try ExactJSON.encode(credential)))"
    } catch is CancellationError {
      throw CalimeroError.cancelled
    } catch PasskeyFailure.cancelled {
      throw CalimeroError.confirm(.declined)
    } catch let failure as PasskeyFailure {
      throw CalimeroError.passkey(failure)
    }
  }

  /// What `x-calimero-operator-signature` has to hold for a request that was answered with 428 (70 §2.12).
  ///
  /// - Parameters:
  ///   - challenge: the refusal's details, an `OperatorChallenge`.
  ///   - nodeTime: the node's clock as last seen.
  /// - Throws: ``CalimeroError/operatorSignature(_:)``, ``CalimeroError/decoding(_:)`` or
  ///   ``CalimeroError/cancelled``.
  static func operatorHeader(
    challenge: JSONValue, request: APIRequest, clusterId: [UInt8], nodeTime: Date,
    signer: any OperatorSigner
  ) async throws -> String {
    let asked: Components.Schemas.OperatorChallenge = try read(challenge, for: request)
    let statement = try statement(asked, request: request, clusterId: clusterId, nodeTime: nodeTime)
    let key = signer.publicKey
    guard key.count == 32 else { throw CalimeroError.operatorSignature(.invalidKey) }
    let signature = try await sign(statement, with: signer)
    guard signature.count == 64 else { throw CalimeroError.operatorSignature(.invalidKey) }
    return "v1.\(asked.signingId).\(Hex.encode(key)).\(Base64URL.encode(signature))"
  }

  /// Whether the challenge speaks of this request. A passkey sheet shows a domain, not an action: this is
  /// what keeps a node from collecting, for a harmless request, the signature that deletes an organization.
  static func check(
    _ asked: Components.Schemas.ConfirmChallenge, request: APIRequest, clusterId: [UInt8], nodeTime: Date
  ) throws {
    guard isHeaderSafe(asked.confirmId), asked.expiresAt >= 0, isAction(asked.action, of: request),
      let nonce = try? Hex.decode(asked.nonce, count: 32, field: "nonce")
    else { throw CalimeroError.confirm(.mismatch) }
    let expected = confirmChallenge(
      request: request, clusterId: clusterId, expiresAt: asked.expiresAt, nonce: nonce)
    guard asked.options.challenge == Base64URL.encode(expected) else {
      throw CalimeroError.confirm(.mismatch)
    }
    guard isAhead(asked.expiresAt, of: nodeTime) else { throw CalimeroError.confirm(.expired) }
  }

  static func confirmChallenge(
    request: APIRequest, clusterId: [UInt8], expiresAt: Int64, nonce: [UInt8]
  ) -> [UInt8] {
    SHA256.hash(
      RequestStatement(method: request.method.rawValue, innerPath: request.path, body: request.body)
        .bytes(domain: "calimero/confirm/1", clusterId: clusterId, times: [expiresAt], nonce: nonce))
  }

  private static func statement(
    _ asked: Components.Schemas.OperatorChallenge, request: APIRequest, clusterId: [UInt8], nodeTime: Date
  ) throws -> OperatorStatement {
    guard isHeaderSafe(asked.signingId), asked.issuedAt >= 0, isAction(asked.action, of: request),
      let nonce = try? Hex.decode(asked.nonce, count: 32, field: "nonce")
    else { throw CalimeroError.operatorSignature(.mismatch) }
    let (span, overflows) = asked.expiresAt.subtractingReportingOverflow(asked.issuedAt)
    guard !overflows, (0...600_000).contains(span), isAhead(asked.expiresAt, of: nodeTime) else {
      throw CalimeroError.operatorSignature(.expired)
    }
    return OperatorStatement(
      method: request.method.rawValue, path: request.path, body: request.body, action: asked.action,
      summary: asked.summary, clusterId: clusterId, nonce: nonce, issuedAt: asked.issuedAt,
      expiresAt: asked.expiresAt)
  }

  private static func sign(_ statement: OperatorStatement, with signer: any OperatorSigner) async throws
    -> [UInt8]
  {
    do {
      return try await signer.sign(statement)
    } catch is CancellationError {
      if Task.isCancelled { throw CalimeroError.cancelled }
      throw CalimeroError.operatorSignature(.declined)
    } catch let failure as OperatorFailure {
      throw CalimeroError.operatorSignature(failure)
    } catch {
      throw CalimeroError.operatorSignature(.rejected(reason: "the signer failed: \(error)"))
    }
  }

  private static func read<T: Decodable>(_ challenge: JSONValue, for request: APIRequest) throws -> T {
    do {
      return try challenge.decode(T.self)
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error, operation: request.operation?.id))
    }
  }

  private static func isAction(_ action: String, of request: APIRequest) -> Bool {
    request.operation.map { $0.id == action } ?? true
  }

  private static func isAhead(_ milliseconds: Int64, of time: Date) -> Bool {
    Double(milliseconds) > time.timeIntervalSince1970 * 1000
  }

  /// The id goes into a header as it came, so it must not be able to end one.
  private static func isHeaderSafe(_ id: String) -> Bool {
    (1...512).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
