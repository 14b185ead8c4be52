import Foundation
import MeroHTTP

/// Hands out the nonces of warrants: one rising sequence for each relay (30 §7, 40 §7).
///
/// A number may be skipped, and never be handed out twice: a node refuses whatever it has seen, for ever. So a number is
/// stored before it is returned, and a crash loses one and repeats none. Two devices never share a store.
public protocol WarrantNonceStore: Sendable {
  /// The next number of a relay; the first is 1.
  ///
  /// - Throws: when the number could not be stored. It is not used then.
  func next(relay: String) throws -> UInt64
  /// Makes the next number at least `floor`; never a lower one.
  func advance(relay: String, to floor: UInt64) throws
}

/// A nonce store that forgets when the process ends: for tests, and for devices that are made anew each time.
public final class MemoryWarrantNonceStore: WarrantNonceStore {
  private let sequences = Locked<[String: NonceSequence]>([:])

  /// An empty store.
  public init() {}

  /// The next number of a relay.
  public func next(relay: String) throws -> UInt64 {
    try sequences.withLock { try $0[RelayOrigin.of(relay), default: NonceSequence()].next() }
  }

  /// Makes the next number at least `floor`.
  public func advance(relay: String, to floor: UInt64) {
    sequences.withLock { $0[RelayOrigin.of(relay), default: NonceSequence()].advance(to: floor) }
  }
}

/// One rising sequence, kept as the last number that was handed out.
struct NonceSequence: Sendable, Hashable {
  private(set) var last: UInt64 = 0

  init() {}

  /// Reads what was stored: decimal digits. Anything else reads as nothing.
  init(stored text: String?) {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
    last = UInt64(text) ?? 0
  }

  var stored: String { String(last) }

  mutating func next() throws -> UInt64 {
    // The last number of all ends the sequence: a device must be made anew then.
    guard last < UInt64.max - 1 else {
      throw AccountError.invalidInput(
        "the device has used up its nonces at this relay; enrol the device again")
    }
    last += 1
    return last
  }

  mutating func advance(to floor: UInt64) {
    last = max(last, floor == 0 ? 0 : floor - 1)
  }
}

/// A relay's address as a key: without slashes at its end.
enum RelayOrigin {
  static func of(_ url: String) -> String {
    var text = url[...]
    while text.hasSuffix("/") { text.removeLast() }
    return String(text)
  }
}
