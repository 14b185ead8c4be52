import MeroWire

// Who is present in an app (70 §2.17).

extension ClusterState {
  static let presenceHandlers: [String: Handler] = [
    "app_presence_list": { state, _, x in try state.listPresence(x) },
    "app_presence_set": { state, _, x in try state.setPresence(x) },
  ]

  private func listPresence(_ x: Exchange) throws -> Outcome {
    let app = try usableApp(x, for: caller(x), as: .reader)
    _ = try x.fields()
    try requireReady(app, forView: true)
    return .answer(200, app.presence.list(at: x.now))
  }

  private func setPresence(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    let fields = try x.fields()
    let size = RawField.bytes(of: "state", in: x.body)?.count ?? 0
    guard size <= AppPresence.stateLimit else { throw Refusal.tooLarge(AppPresence.stateLimit) }
    try requireReady(app, forView: true)
    let key = AppPresence.Key(account: caller.account.id, session: caller.credential)
    // A nil written here would be JSON's null.
    let state = fields["state"].flatMap { $0 == .null ? JSONValue?.none : $0 }
    let entry = app.presence.set(
      key, name: caller.account.name, state: state, version: fields["version"]?.uint64 ?? 0, at: x.now)
    if let entry { tell(app, key, entry) }
    if let end = app.presence.nextExpiry { schedule(at: end) }
    return .answer(204, nil)
  }

  /// Takes away those who were not heard from for as long as an entry lives.
  func expirePresence(in app: AppRecord, at now: Int64) {
    for (key, entry) in app.presence.expire(at: now) { tell(app, key, entry) }
  }

  /// Takes away the entries for which this holds.
  func removePresence(in app: AppRecord, where isMeant: (AppPresence.Key) -> Bool) {
    for (key, entry) in app.presence.remove(where: isMeant) { tell(app, key, entry) }
  }

  private func tell(_ app: AppRecord, _ key: AppPresence.Key, _ entry: JSONValue) {
    // What went is as old as nothing: ageMs is 0 in every event.
    var json = entry.objectValue ?? [:]
    json["ageMs"] = 0
    for follower in app.followers.values where follower.wantsPresence {
      follower.note(key, .object(json))
      afterwards { follower.wake() }
    }
  }
}
