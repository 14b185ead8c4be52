import Foundation
import MeroWire

/// The code in an invitation's link: an invitation's JSON, compressed and in base58 (30 §17.1).
public enum InviteCodec {
  /// Longer codes are refused: reading base58 takes time that grows with the square of the length.
  static let codeLimit = 65_536
  /// What comes out of a code is no longer than this.
  static let textLimit = 1 << 20

  /// The code of an invitation, made of what was received.
  public static func encode(_ invitation: SignedGroupOpenInvitation) -> String {
    encode(text: JSONValue.object(invitation.json).text)
  }

  /// The code of a JSON object; equal objects have equal codes.
  public static func encode(_ value: JSONValue) throws -> String {
    encode(text: try CanonicalJSON.string(value))
  }

  /// The invitation in a code, as ``InviteLink/token(fromPasted:expectedSlug:)`` finds it in a link.
  ///
  /// ```swift
  /// if let token = InviteLink.token(fromPasted: text, expectedSlug: "com.example.notes") {
  ///   let invitation = try InviteCodec.decodeInvitation(token)
  /// }
  /// ```
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for a code of something else.
  public static func decodeInvitation(_ code: String) throws(AccountError) -> SignedGroupOpenInvitation {
    guard let json = decode(code)?.objectValue else {
      throw .invalidInput("this is no code of an invitation")
    }
    do throws(WireError) { return try SignedGroupOpenInvitation(json: json) } catch {
      throw .invalidInput(error.reason)
    }
  }

  package static func encode(text: String) -> String { Base58.encode(Deflate.compress(Array(text.utf8))) }

  /// The JSON object in a code; nil when it is none.
  public static func decode(_ code: String) -> JSONValue? {
    text(of: code).flatMap { try? JSONValue(parsing: $0) }
  }

  /// The JSON text in a code, in whichever of the forms that were ever in use.
  package static func text(of code: String) -> String? {
    let code = code.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !code.isEmpty, code.utf8.count <= codeLimit else { return nil }
    if let text = object(code) { return text }
    if let bytes = try? Base58.decode(code) {
      if let text = Deflate.expand(bytes, upTo: textLimit).flatMap(object) { return text }
      if let text = object(bytes) { return text }
    }
    if let text = base64(code).flatMap(object) { return text }
    return code.removingPercentEncoding.flatMap { $0 == code ? nil : object($0) }
  }

  /// The alphabets overlap, and a short word reads as noise in each: only what begins like an object is one.
  private static func object(_ text: String) -> String? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.hasPrefix("{") ? text : nil
  }

  private static func object(_ bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self).flatMap(object)
  }

  private static func base64(_ code: String) -> [UInt8]? {
    var text = code.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.hasSuffix("=") { text.removeLast() }
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text).map { Array($0) }
  }
}
