/// Which fields are secrets, so that the structure they are in shows everything but them.
///
/// The document does not mark them. A name that can mean nothing else is a secret wherever it stands; one that means
/// something harmless elsewhere, such as the code of an error, is listed with where it is one.
enum SecretFields {
  private static let anywhere: Set<String> = ["accessToken", "refreshToken", "secret", "codeVerifier"]

  /// By the schema's name, or the operation's id for a request's body.
  private static let somewhere: [String: Set<String>] = [
    // Whoever holds an invitation's code can accept it.
    "OrgInviteCreated": ["code", "url"],
    "auth_signup_begin": ["invite"], "org_invite_accept": ["code"], "public_invite_preview": ["code"],
    // The page's answer carries the code of a consent.
    "ConsentAnswer": ["redirectUrl"], "consent_token": ["code"],
  ]

  static func isSecret(_ field: Field, in place: String) -> Bool {
    anywhere.contains(field.name) || somewhere[place]?.contains(field.name) == true
  }
}

extension SourceWriter {
  /// A structure of the document's fields, which hides those that are secrets.
  mutating func structure(
    _ name: String, _ fields: [Field], in place: String, scope: String, initialiser documentation: String
  ) {
    let shown = fields.filter { !SecretFields.isSecret($0, in: place) }
    let conformances = "Codable, Sendable, Hashable" + (shown.count < fields.count ? ", SecretBearing" : "")
    block("public struct \(name): \(conformances)") { writer in
      writer.members(fields.map { $0.member(in: scope) }, initialiser: documentation)
      writer.codingKeys(fields)
      guard shown.count < fields.count else { return }
      writer.gap()
      writer.block("var shown: [(label: String?, value: Any)]") { writer in
        writer.rows("[", shown.map { "(\"\($0.name)\", \(SwiftName.quoted($0.swiftName)) as Any)" }, "]")
      }
    }
  }
}
