/// A version of a release, by SemVer 2.0 (50 §5.5).
///
/// Two that differ only in build metadata are ordered alike and still not equal: a release's tag is compared as text.
package struct ReleaseVersion: Sendable, Hashable, CustomStringConvertible {
  /// The oldest release that is accepted unless the caller says otherwise.
  package static let oldestAccepted = ReleaseVersion(known: "2.3.109")

  /// The version as it was written.
  package let text: String
  /// Major, minor and patch, without leading zeros; of any size.
  private let numbers: [Substring]
  private let preRelease: [Substring]

  package var description: String { text }

  /// The version that `text` is; nil for anything else, `v2.3.87` and `2.3` included.
  package init?(_ text: String) {
    guard text.utf8.count <= 128 else { return nil }
    let withoutBuild = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = withoutBuild[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers.allSatisfy(Self.isNumber) else { return nil }
    if withoutBuild.count == 2 {
      guard !withoutBuild[1].isEmpty, withoutBuild[1].utf8.allSatisfy(Self.mayStandInSuffix) else {
        return nil
      }
    }
    preRelease = parts.count == 2 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
    guard preRelease.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.mayStandInSuffix) }) else {
      return nil
    }
    self.text = text
    self.numbers = numbers.map(Self.withoutLeadingZeros)
  }

  private init(known text: String) {
    guard let version = ReleaseVersion(text) else {
      preconditionFailure("a constant of this file was changed")
    }
    self = version
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func mayStandInSuffix(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return true
    default: return false
    }
  }

  private static func withoutLeadingZeros(_ number: Substring) -> Substring {
    let digits = number.drop { $0 == "0" }
    return digits.isEmpty ? "0" : digits
  }
}

extension ReleaseVersion: Comparable {
  package static func < (left: ReleaseVersion, right: ReleaseVersion) -> Bool {
    for (one, other) in zip(left.numbers, right.numbers) where one != other { return isLess(one, other) }
    // A release comes after its own pre-releases.
    if left.preRelease.isEmpty || right.preRelease.isEmpty {
      return !left.preRelease.isEmpty && right.preRelease.isEmpty
    }
    for (one, other) in zip(left.preRelease, right.preRelease) where one != other {
      switch (isNumber(one), isNumber(other)) {
      case (true, true):
        let (one, other) = (withoutLeadingZeros(one), withoutLeadingZeros(other))
        if one != other { return isLess(one, other) }
      case (true, false): return true
      case (false, true): return false
      case (false, false): return one.utf8.lexicographicallyPrecedes(other.utf8)
      }
    }
    return left.preRelease.count < right.preRelease.count
  }

  /// Compares numbers of any size, which have no leading zeros.
  private static func isLess(_ one: Substring, _ other: Substring) -> Bool {
    let (one, other) = (one.utf8, other.utf8)
    return one.count != other.count ? one.count < other.count : one.lexicographicallyPrecedes(other)
  }
}
