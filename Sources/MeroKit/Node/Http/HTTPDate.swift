import Foundation

/// Reads `Retry-After` (RFC 9110 §10.2.3).
enum HTTPDate {
  /// Seconds from `now`; nil when the text is neither whole seconds nor a date.
  static func span(_ text: String, now: Date) -> TimeInterval? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return TimeInterval(text)
    }
    return date(text).map { max(0, $0.timeIntervalSince(now)) }
  }

  /// A date in the one form that servers write today, `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT" else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard let month = months.firstIndex(of: String(parts[2])), time.count == 3,
      let day = Int(parts[1]), let year = Int(parts[3]),
      let hour = time[0], let minute = time[1], let second = time[2]
    else { return nil }
    guard (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    return calendar.date(
      from: DateComponents(
        year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
