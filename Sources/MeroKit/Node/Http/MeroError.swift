import Foundation
import MeroHTTP

/// Everything that the client of a node throws, besides `CancellationError` (10 §1.5).
///
/// ```swift
/// do {
///   let note: Note = try await mero.rpc.execute(contextId: context, method: "get_note", argsJson: ["id": "n1"])
/// } catch MeroError.rpc(let refusal) where refusal.type == "FunctionCallError" {
///   // the contract refused
/// } catch MeroError.authRevoked {
///   // signed out; only a new login helps
/// }
/// ```
public enum MeroError: Error, Sendable, Hashable {
  /// The node answered outside 2xx.
  case http(HTTPError)
  /// The session was ended by the node. The tokens are gone; only a new login helps.
  case authRevoked(reason: String, http: HTTPError)
  /// A method was refused.
  case rpc(RpcError)
  /// No answer came: the host is unknown or away, the connection broke, time was up, or the address is not one that is
  /// asked.
  case network(String)
  /// The answer lacks what was asked for; what that is.
  case emptyResponse(String)
  /// The node refused a login.
  case authenticationFailed(String)
  /// A login needs a user name and a password, and there are none.
  case noCredentials
  /// The access token is old, and there is nothing to renew it with.
  case noRefreshToken
  /// The answer is not what it should be.
  case decoding(String)
}

extension MeroError {
  /// The answer's status, when there was an answer outside 2xx.
  public var httpStatus: Int? { http?.status }

  /// What the node's error body says.
  public var refusal: ErrorRefusal? { http?.refusal }

  /// The kind of a method's refusal, over JSON-RPC or HTTP.
  public var errorType: String? {
    if case .rpc(let error) = self { return error.type }
    return refusal?.type
  }

  /// Whether the same request, sent again after a while, may well succeed: nothing answered, or the node is busy.
  public var isRetryable: Bool {
    switch self {
    case .network: true
    case .http(let error): error.status == 429 || (500..<600).contains(error.status)
    default: false
    }
  }

  /// The answer, when there was one outside 2xx.
  var http: HTTPError? {
    switch self {
    case .http(let error), .authRevoked(_, let error): error
    default: nil
    }
  }

  /// What a transport's error means, where nothing else is wanted than that no answer came.
  init(_ error: any Error) {
    switch error {
    case let error as MeroError: self = error
    case let error as TransportError where error.kind == .tooLarge: self = .decoding(error.text)
    case let error as TransportError: self = .network(error.text)
    case let error as AccountError: self = .network(error.description)
    default: self = .network("the request could not be sent: \(type(of: error))")
    }
  }
}

extension MeroError: CustomStringConvertible, LocalizedError {
  /// What happened, in words; never a token.
  public var description: String {
    switch self {
    case .http(let error): error.description
    case .authRevoked(let reason, _): "the node has ended the session (\(reason)); log in again"
    case .rpc(let error): error.description
    case .network(let text): text
    case .emptyResponse(let what): "the node's answer lacks \(what)"
    case .authenticationFailed(let text): "the login was refused: \(text)"
    case .noCredentials: "a login needs a user name and a password"
    case .noRefreshToken: "the session has expired and cannot be renewed; log in again"
    case .decoding(let text): "the node's answer cannot be read: \(text)"
    }
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
