/// Which request ids of a session were used: each is admitted once, and ids far behind the newest are not admitted.
package struct ReplayWindow: Sendable {
  /// How many ids up to the newest are told apart.
  package static let size: UInt64 = 4096

  private var newest: UInt64 = 0
  /// Bit `id % size` says whether `id` was used, for ids within the window.
  private var used = [UInt64](repeating: 0, count: Int(size / 64))

  package init() {}

  /// Takes `id` if it was not used before; 0 is never valid.
  package mutating func admit(_ id: UInt64) -> Bool {
    guard id > 0 else { return false }
    if id > newest {
      forget(until: id)
      newest = id
    } else if newest - id >= Self.size || isUsed(id) {
      return false
    }
    used[Int(id % Self.size / 64)] |= 1 << (id % 64)
    return true
  }

  private func isUsed(_ id: UInt64) -> Bool {
    used[Int(id % Self.size / 64)] & 1 << (id % 64) != 0
  }

  /// Clears the places that the ids after `newest` up to `id` take over from older ones.
  private mutating func forget(until id: UInt64) {
    guard id - newest < Self.size else {
      used = [UInt64](repeating: 0, count: used.count)
      return
    }
    for place in newest + 1...id { used[Int(place % Self.size / 64)] &= ~(1 << (place % 64)) }
  }
}
