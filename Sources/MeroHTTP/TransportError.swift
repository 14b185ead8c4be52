import Foundation

/// Why a request got no response, or why a response's body ended early.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// What went wrong, in the words a caller decides by.
  public enum Kind: Sendable, Hashable {
    /// No connection came about: unknown host, refused, unreachable, or a request that cannot be sent at all.
    case cannotConnect
    /// The TLS handshake failed or the certificate was not accepted.
    case tls
    /// A deadline or an idle limit passed.
    case timedOut
    /// The connection ended before the exchange did.
    case lost
    /// A redirect was answered where none is acceptable.
    case refusedRedirect
    /// More bytes arrived than the reader allows.
    case tooLarge
  }

  /// What went wrong.
  public let kind: Kind
  /// What happened in plain words, without anything secret.
  public let text: String
  /// False only when no byte of the request can have left this machine, so that sending it elsewhere cannot make it
  /// run twice.
  public let mayHaveBeenSent: Bool

  /// An error with these parts.
  public init(kind: Kind, text: String, mayHaveBeenSent: Bool) {
    self.kind = kind
    self.text = text
    self.mayHaveBeenSent = mayHaveBeenSent
  }

  /// The same as ``text``.
  public var description: String { text }
  /// The same as ``text``.
  public var errorDescription: String? { text }
}
