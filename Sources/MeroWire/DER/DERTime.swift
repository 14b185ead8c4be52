import Foundation

/// The two times of RFC 5280 §4.1.2.5: `YYMMDDHHMMSSZ` for 1950 to 2049, and `YYYYMMDDHHMMSSZ`. Seconds are
/// always there; fractions and offsets never are.
enum DERTime {
  static func date(_ element: DERElement) -> Date? {
    var text = Array(element.content)
    guard text.popLast() == UInt8(ascii: "Z"), text.allSatisfy(JSONNumberGrammar.isDigit) else { return nil }
    let pairs = stride(from: 0, to: text.count - 1, by: 2).map { at in
      Int(text[at] - UInt8(ascii: "0")) * 10 + Int(text[at + 1] - UInt8(ascii: "0"))
    }
    switch (element.tag, text.count) {
    case (.utcTime, 12): return date(year: pairs[0] + (pairs[0] < 50 ? 2000 : 1900), pairs[1...])
    case (.generalizedTime, 14): return date(year: pairs[0] * 100 + pairs[1], pairs[2...])
    default: return nil
    }
  }

  /// - Parameter rest: month, day, hour, minute and second.
  private static func date(year: Int, _ rest: ArraySlice<Int>) -> Date? {
    let (month, day, hour, minute, second) = (
      rest[rest.startIndex], rest[rest.startIndex + 1], rest[rest.startIndex + 2], rest[rest.startIndex + 3],
      rest[rest.startIndex + 4]
    )
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // The calendar begins with year 1, and so does the count below.
    guard year > 0, (1...12).contains(month), (1...lengths[month - 1]).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let past = year - 1
    let daysInPastYears = past * 365 + past / 4 - past / 100 + past / 400
    let days = daysInPastYears + lengths[..<(month - 1)].reduce(0, +) + day - 1
    let daysTo1970 = 719_162
    return Date(
      timeIntervalSince1970: Double((days - daysTo1970) * 86_400 + hour * 3_600 + minute * 60 + second))
  }
}
