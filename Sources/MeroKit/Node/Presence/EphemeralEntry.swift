import MeroWire

/// The presence of one author in a context: the last thing it said, or that it is gone.
public struct EphemeralEntry<State: Sendable>: Sendable {
  /// Who: the peer's signing key, to be compared and nothing else. It says neither that the peer is a member nor that it is
  /// there now, so no access may depend on it.
  public let author: String
  /// The account, 64 hex, when a relay carried this for one.
  public let account: String?
  /// What it said; nil when it is gone.
  public let state: State?
  /// Whether it is gone: not heard from for 7 seconds, or pushed out by others.
  public let removed: Bool
  /// Milliseconds since the author was heard from, when the entry was there before this subscription. Nil when it comes as
  /// it happens; that is not 0.
  public let ageMs: Int?

  /// An entry of these parts.
  public init(author: String, account: String? = nil, state: State?, removed: Bool = false, ageMs: Int? = nil)
  {
    self.author = author
    self.account = account
    self.state = state
    self.removed = removed
    self.ageMs = ageMs
  }
}

extension EphemeralEntry: Equatable where State: Equatable {}
extension EphemeralEntry: Hashable where State: Hashable {}

extension EphemeralEntry {
  /// Reads a presence event; nil for another kind, one without an author, or a state the codec cannot read.
  package init?(_ event: ContextEvent, codec: some Codec<State>) {
    guard let author = event.presenceAuthor else { return nil }
    let data = event.data
    guard data["removed"]?.boolValue != true else {
      self.init(author: author, account: event.presenceAccount, state: nil, removed: true)
      return
    }
    guard let bytes = data["state"]?.byteArray, let state = try? codec.decode(bytes) else { return nil }
    self.init(
      author: author, account: event.presenceAccount, state: state, ageMs: data["ageMs"]?.int)
  }
}
