/// Repeatable randomness for the fuzz tests (SplitMix64): a failure names its seed and comes back with it.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// A copy of `bytes` with a few edits: flips, replacements, cuts, doublings.
  mutating func mutated(_ bytes: [UInt8], interesting: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let at = Int.random(in: 0...result.count, using: &self)
      let end = min(result.count, at + Int.random(in: 0...8, using: &self))
      switch Int.random(in: 0..<6, using: &self) {
      case 0 where at < result.count: result[at] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1 where at < result.count: result[at] = interesting.randomElement(using: &self) ?? 0
      case 2: result.insert(interesting.randomElement(using: &self) ?? 0, at: at)
      case 3: result.removeSubrange(at..<end)
      case 4: result.insert(contentsOf: Array(result[at..<end]), at: at)
      default: result.insert(contentsOf: self.bytes(end - at), at: at)
      }
    }
    return result
  }
}
