import Foundation
import MeroHTTP
import MeroKit

/// How far a transfer is, drawn over one line of a terminal.
///
///     [##########----------]  50 %  2.1 of 4.2 MB
final class ProgressBar: Sendable {
  private static let width = 20

  private let draw: (@Sendable (String) -> Void)?
  /// What stands on the line.
  private let shown = Locked("")

  /// - Parameter draw: writes over a line; nil where nobody looks.
  init(draw: (@Sendable (String) -> Void)?) { self.draw = draw }

  var show: BlobProgress.Handler {
    { [self] step in
      guard let draw else { return }
      let line = Self.line(step)
      // A transfer has very many steps, and a terminal is slow.
      let isNews = shown.withLock { shown in
        defer { shown = line }
        return shown != line
      }
      if isNews { draw("\r\(line)") }
    }
  }

  /// Leaves the line.
  func end() {
    if let draw, shown.withLock({ !$0.isEmpty }) { draw("\n") }
  }

  static func line(_ step: BlobProgress) -> String {
    guard let total = step.total, total > 0 else { return "\(megabytes(step.completed)) MB" }
    let part = min(1, max(0, Double(step.completed) / Double(total)))
    let filled = Int(part * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let percent = String(format: "%3d", Int(part * 100))
    return "[\(bar)] \(percent) %  \(megabytes(step.completed)) of \(megabytes(total)) MB"
  }

  private static func megabytes(_ bytes: Int64) -> String { String(format: "%.1f", Double(bytes) / 1e6) }
}
