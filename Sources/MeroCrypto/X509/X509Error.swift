import Foundation
import MeroWire

/// Why a certificate, a chain of them or a revocation list is not good.
package enum X509Error: Error, Sendable, Hashable, CustomStringConvertible {
  /// Not in the form of RFC 5280, or with something critical that nobody here understands.
  case malformed(String)
  /// Nothing leads from it to the trust anchor.
  case untrusted(String)
  /// Good once, or not good yet.
  case outOfDate(String)
  case revoked(String)

  package var description: String {
    switch self {
    case .malformed(let text), .untrusted(let text), .outOfDate(let text), .revoked(let text): text
    }
  }

  /// A time as texts for people name it.
  package static func text(_ time: Date) -> String { ISO8601DateFormatter().string(from: time) }
}

extension WireError {
  static func x509(_ reason: String) -> WireError { WireError(format: "x509", reason: reason) }
}
