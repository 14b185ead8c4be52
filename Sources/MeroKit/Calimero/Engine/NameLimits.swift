import Foundation
import MeroAPI
import MeroWire

/// Names, labels and presence states that a request of the generated methods gives (70 §2.2), checked before it is
/// sent.
enum NameLimits {
  /// What a field of a request's body is, where the client enforces a limit for it.
  private enum Limit {
    /// The name of an account.
    case account
    /// A name that people give something: trimmed, 1 to 80 characters, no control characters.
    case name
    /// The same, which may be empty.
    case note
    /// A state of presence.
    case presence
  }

  /// A state's size as JSON, at most, in bytes.
  static let presence = 16_384

  private static let limits: [APIOperation: [String: Limit]] = [
    .orgCreate: ["name": .name], .orgUpdate: ["name": .name], .orgTeamCreate: ["name": .name],
    .orgTeamUpdate: ["name": .name], .appCreate: ["name": .name], .appUpdate: ["name": .name],
    .authSignupBegin: ["name": .account, "displayName": .name], .authSigninBegin: ["name": .account],
    .authSignupFinish: ["label": .note], .authSigninFinish: ["label": .note],
    .authPasskeyBegin: ["label": .note], .authPasskeyFinish: ["label": .note],
    .authKeyCreate: ["label": .name], .orgInviteCreate: ["label": .note],
    .consentRequestCreate: ["label": .note], .appPresenceSet: ["state": .presence],
  ]

  /// The request with its names trimmed; the same request when there is nothing to trim.
  static func checked(_ request: APIRequest) throws(CalimeroError) -> APIRequest {
    guard let operation = request.operation, let limits = limits[operation], let body = request.body,
      var fields = (try? JSONValue(parsing: body))?.objectValue
    else { return request }
    var isChanged = false
    for (field, limit) in limits {
      guard let value = fields[field] else { continue }
      switch (limit, value.stringValue) {
      case (.presence, _): try check(presence: value)
      case (.account, let name?): try AccountName.check(name)
      case (.name, let name?), (.note, let name?):
        let trimmed = try checked(name, as: "a \(field)", mayBeEmpty: limit == .note)
        guard trimmed != name else { continue }
        fields[field] = .string(trimmed)
        isChanged = true
      default: continue
      }
    }
    guard isChanged else { return request }
    var request = request
    request.body = JSONValue.object(fields).data()
    return request
  }

  /// The name trimmed.
  ///
  /// - Parameter what: begins the sentence that refuses it, such as `a name`.
  static func checked(
    _ name: String, as what: String, mayBeEmpty: Bool = false
  ) throws(CalimeroError) -> String {
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.count <= 80, mayBeEmpty || !trimmed.isEmpty else {
      throw .invalidInput(
        "\(what) has \(mayBeEmpty ? "at most" : "1 to") 80 characters without the spaces around it.")
    }
    guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw .invalidInput("\(what) must not hold control characters.")
    }
    return trimmed
  }

  static func check(presence state: JSONValue) throws(CalimeroError) {
    let size = state.data().count
    guard size <= presence else {
      throw .invalidInput("a presence state has at most \(presence) bytes as JSON, not \(size).")
    }
  }
}
