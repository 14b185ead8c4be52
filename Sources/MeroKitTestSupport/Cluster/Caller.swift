/// Who sends a request, and what its credential may do: a session or an API key.
struct Caller {
  let account: AccountRecord
  let session: SessionRecord?
  let key: ApiKeyRecord?
  let scopes: [String]

  /// The id of the session or the key.
  var credential: String { session?.id ?? key?.id ?? "" }

  /// The apps that the credential is limited to; empty for no limit.
  var apps: [String] { key?.apps ?? session?.apps ?? [] }

  /// Whether the credential may know of an organization at all (70 §2.13).
  func mayKnow(org: OrgRecord) -> Bool {
    guard let key else { return true }
    return key.orgs.isEmpty || key.orgs.contains(org.id)
  }

  /// Whether the credential may know of an app at all.
  func mayKnow(app: AppRecord) -> Bool {
    mayKnow(org: app.org) && (apps.isEmpty || apps.contains(app.id))
  }
}
