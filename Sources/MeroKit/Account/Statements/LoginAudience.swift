import Foundation
import MeroWire

/// Which app a login is from (30 §13). A node compares it byte for byte.
public enum LoginAudience: Sendable, Hashable {
  /// A page in a browser, by its origin.
  case webOrigin(String)
  /// An app, by the identifier it is signed with.
  case codeSigningId(String)
  /// A tool or a service.
  case cli

  /// This program: its bundle identifier, or ``cli`` when it has none.
  public static var current: LoginAudience {
    Bundle.main.bundleIdentifier.map { .codeSigningId($0) } ?? .cli
  }

  /// Reads the spelling of nodes: `cli`, an origin, or an identifier.
  public init(_ text: String) {
    switch text {
    case "cli": self = .cli
    case _ where text.hasPrefix("http://") || text.hasPrefix("https://"): self = .webOrigin(text)
    default: self = .codeSigningId(text)
    }
  }

  func write(to writer: inout BorshWriter) {
    switch self {
    case .webOrigin(let origin):
      writer.u8(0)
      writer.string(origin)
    case .codeSigningId(let id):
      writer.u8(1)
      writer.string(id)
    // A bare tag: a length behind it, even of nothing, would shift all that follows.
    case .cli: writer.u8(2)
    }
  }

  /// The part that is signed: tag and text, without a length.
  var part: [UInt8] {
    switch self {
    case .webOrigin(let origin): [0] + Array(origin.utf8)
    case .codeSigningId(let id): [1] + Array(id.utf8)
    case .cli: [2]
    }
  }
}
