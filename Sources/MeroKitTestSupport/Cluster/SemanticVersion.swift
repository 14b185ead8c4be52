/// A version by SemVer 2.0, for deciding which is the newest. Text that is no version comes before everything.
struct SemanticVersion: Comparable {
  private let numbers: [UInt64]
  private let preRelease: [Substring]

  init(_ text: String) {
    let withoutBuild = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let parts = withoutBuild.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
    self.numbers = numbers.count == 3 ? numbers.compactMap { $0 } : []
    preRelease = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
  }

  static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    // A release comes after its own pre-releases.
    if left.preRelease.isEmpty || right.preRelease.isEmpty {
      return !left.preRelease.isEmpty && right.preRelease.isEmpty
    }
    for (one, other) in zip(left.preRelease, right.preRelease) where one != other {
      switch (UInt64(one), UInt64(other)) {
      case (let one?, let other?): return one < other
      case (.some, nil): return true
      case (nil, .some): return false
      case (nil, nil): return one < other
      }
    }
    return left.preRelease.count < right.preRelease.count
  }
}
