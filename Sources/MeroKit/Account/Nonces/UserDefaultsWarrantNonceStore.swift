import Foundation

/// Nonces in `UserDefaults`, as decimal texts.
///
/// On Apple's systems one process at a time: an app and its extension that sign at the same time use ``FileWarrantNonceStore`` in
/// a folder they share. Elsewhere the processes of one user take turns.
public final class UserDefaultsWarrantNonceStore: WarrantNonceStore {
  private let texts: DefaultsTexts
  private let prefix: String

  /// A store in `defaults`, whose keys begin with `prefix`.
  public init(defaults: UserDefaults = .standard, prefix: String = "calimero.nonce.") {
    texts = DefaultsTexts(defaults)
    self.prefix = prefix
  }

  /// The next number of a relay.
  ///
  /// - Throws: when it could not be written: what is only in memory would be handed out again after a crash.
  public func next(relay: String) throws -> UInt64 {
    var number: UInt64 = 0
    try change(relay) { number = try $0.next() }
    return number
  }

  /// Makes the next number at least `floor`.
  public func advance(relay: String, to floor: UInt64) throws {
    try change(relay) { $0.advance(to: floor) }
  }

  private func change(_ relay: String, _ body: (inout NonceSequence) throws -> Void) throws {
    try texts.change(prefix + RelayOrigin.of(relay)) { text in
      var sequence = NonceSequence(stored: text)
      let before = sequence
      try body(&sequence)
      return sequence == before ? nil : sequence.stored
    }
  }
}
