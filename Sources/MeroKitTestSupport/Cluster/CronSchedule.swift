/// The times of a timer in the five fields of cron, in UTC: minute, hour, day of the month, month, day of the week.
///
/// A field is `*` or a list of numbers, ranges and steps, as in `0,30`, `9-17`, `*/5` and `10-50/20`. Days of the week are
/// 0 to 7, both ends Sunday. When both kinds of day are restricted, either will do, as cron has it.
struct CronSchedule {
  private let minutes: Set<Int>
  private let hours: Set<Int>
  private let days: Set<Int>
  private let months: Set<Int>
  private let weekdays: Set<Int>
  private let hasAnyDay: Bool
  private let hasAnyWeekday: Bool

  /// `nil` when the text is no schedule, or one that no day of the calendar fits, like the 30th of February.
  init?(_ text: String) {
    let fields = text.split(separator: " ").map(String.init)
    guard fields.count == 5, let minutes = Self.numbers(fields[0], 0...59),
      let hours = Self.numbers(fields[1], 0...23), let days = Self.numbers(fields[2], 1...31),
      let months = Self.numbers(fields[3], 1...12), let weekdays = Self.numbers(fields[4], 0...7)
    else { return nil }
    self.minutes = minutes
    self.hours = hours
    self.days = days
    self.months = months
    self.weekdays = Set(weekdays.map { $0 % 7 })
    hasAnyDay = fields[2].hasPrefix("*")
    hasAnyWeekday = fields[4].hasPrefix("*")
    guard next(after: 0) != nil else { return nil }
  }

  /// The first time after this one, both in Unix milliseconds.
  func next(after time: Int64) -> Int64? {
    let minute = time / 60_000 + 1
    let today = Int(minute / 1440)
    let rest = Int(minute % 1440)
    // A 29th of February on a given weekday comes around in 28 years, 40 where a century has none.
    for day in today...today + 366 * 40 where isOn(day) {
      let earliest = day == today ? rest : 0
      let found = hours.sorted().lazy.flatMap { hour in minutes.sorted().map { hour * 60 + $0 } }
        .first { $0 >= earliest }
      if let found { return (Int64(day) * 1440 + Int64(found)) * 60_000 }
    }
    return nil
  }

  private func isOn(_ day: Int) -> Bool {
    let (month, dayOfMonth) = Self.civil(day)
    guard months.contains(month) else { return false }
    // The first of January 1970 was a Thursday.
    let (fitsDay, fitsWeekday) = (days.contains(dayOfMonth), weekdays.contains((day + 4) % 7))
    return hasAnyDay || hasAnyWeekday ? fitsDay && fitsWeekday : fitsDay || fitsWeekday
  }

  /// Month and day of the month of a day counted from 1970, by the Gregorian calendar.
  private static func civil(_ day: Int) -> (month: Int, day: Int) {
    let shifted = day + 719_468
    let inEra = shifted % 146_097
    let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * year + year / 4 - year / 100)
    let marchMonth = (5 * inYear + 2) / 153
    return (marchMonth < 10 ? marchMonth + 3 : marchMonth - 9, inYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func numbers(_ field: String, _ bounds: ClosedRange<Int>) -> Set<Int>? {
    var all: Set<Int> = []
    for item in field.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = item.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, let range = Self.range(parts[0], bounds, isOpen: parts.count == 2) else {
        return nil
      }
      guard let step = parts.count == 2 ? number(parts[1]) : 1, step > 0 else { return nil }
      all.formUnion(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }
    return all
  }

  private static func range(
    _ text: Substring, _ bounds: ClosedRange<Int>, isOpen: Bool
  ) -> ClosedRange<Int>? {
    if text == "*" { return bounds }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(number)
    guard let first = ends[0], bounds.contains(first) else { return nil }
    switch ends.count {
    // A step after one number goes on to the end.
    case 1: return first...(isOpen ? bounds.upperBound : first)
    case 2:
      guard let last = ends[1], last >= first, bounds.contains(last) else { return nil }
      return first...last
    default: return nil
    }
  }

  private static func number(_ text: Substring) -> Int? {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
