/// Who sends a request, and what its credential may do: a session or an API key.
struct Caller {
  let account: AccountRecord
  let session: SessionRecord?
  let key: ApiKeyRecord?
  let scopes: [String]

  /// The id of the session or the key.
  var credential: String { session?.id ?? key?.id ?? "" }

  /// Whether the credential may know of an organization at all (70 §2.13).
  func mayKnow(org: OrgRecord) -> Bool {
    guard let key else { return true }
    return key.orgs.isEmpty || key.orgs.contains(org.id)
  }

  /// Whether the credential may know of an app at all.
  func mayKnow(app: AppRecord) -> Bool {
    guard mayKnow(org: app.org) else { return false }
    let apps = key?.apps ?? session?.apps ?? []
    return apps.isEmpty || apps.contains(app.id)
  }
}
