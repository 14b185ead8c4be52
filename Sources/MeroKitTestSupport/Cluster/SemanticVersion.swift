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

  /// Whether the text is a version by SemVer 2.0: three numbers, perhaps a pre-release, perhaps build metadata.
  static func isValid(_ text: String) -> Bool {
    func isWord(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") }
    }
    func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy(isDigit) && (text == "0" || !text.hasPrefix("0"))
    }
    func words(_ text: Substring) -> [Substring] {
      text.split(separator: ".", omittingEmptySubsequences: false)
    }
    let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, !words(parts[1]).allSatisfy(isWord) { return false }
    let release = parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    if release.count == 2 {
      let isPreRelease = words(release[1]).allSatisfy { word in
        isWord(word) && (isNumber(word) || !word.utf8.allSatisfy(isDigit))
      }
      guard isPreRelease else { return false }
    }
    let numbers = words(release[0])
    return numbers.count == 3 && numbers.allSatisfy { isNumber($0) && UInt64($0) != nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
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
