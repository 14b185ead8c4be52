import Foundation

/// The two times of RFC 5280 §4.1.2.5: `YYMMDDHHMMSSZ` for 1950 to 2049, and `YYYYMMDDHHMMSSZ`. Seconds are
/// always there; fractions and offsets never are.
enum DERTime {
  static func date(_ element: DERElement) -> Date? {
    let text = element.content
    guard text.last == UInt8(ascii: "Z"), text.dropLast().allSatisfy(JSONNumberGrammar.isDigit) else {
      return nil
    }
    func pair(_ index: Int) -> Int {
      let at = text.startIndex + 2 * index
      return Int(text[at] - UInt8(ascii: "0")) * 10 + Int(text[at + 1] - UInt8(ascii: "0"))
    }
    switch (element.tag, text.count) {
    case (.utcTime, 13):
      return date(pair(0) + (pair(0) < 50 ? 2000 : 1900), pair(1), pair(2), pair(3), pair(4), pair(5))
    case (.generalizedTime, 15):
      return date(pair(0) * 100 + pair(1), pair(2), pair(3), pair(4), pair(5), pair(6))
    default: return nil
    }
  }

  /// How many days of a year that does not leap lie before each month.
  private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]

  private static func date(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> Date? {
    // The calendar begins with year 1, and so does the count below.
    guard year > 0, (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let length = daysBefore[month] - daysBefore[month - 1] + (isLeap && month == 2 ? 1 : 0)
    guard (1...length).contains(day) else { return nil }
    let past = year - 1
    let daysInPastYears = past * 365 + past / 4 - past / 100 + past / 400
    let days = daysInPastYears + daysBefore[month - 1] + (isLeap && month > 2 ? 1 : 0) + day - 1
    let daysTo1970 = 719_162
    return Date(
      timeIntervalSince1970: Double((days - daysTo1970) * 86_400 + hour * 3_600 + minute * 60 + second))
  }
}
