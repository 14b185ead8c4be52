import MeroHTTP

extension MeroRandom {
  /// The source of a seed, so that a run can be repeated; without one the system's. Whoever sees a token that a seed made can
  /// work out those to come, so what is served to people takes no seed.
  static func chosen(by seed: UInt64?) -> MeroRandom {
    seed.map { SeededRandom(seed: $0).random } ?? .system
  }

  /// A source of its own for a part of what this one makes: of a seed when this one is.
  func branch(isSeeded: Bool) -> MeroRandom {
    guard isSeeded else { return self }
    return SeededRandom(seed: bytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }).random
  }
}
