import Foundation
import MeroHTTP

/// Tells when the app goes to the background and comes back, on the platforms where apps do.
///
/// The names are those that UIKit posts under; nothing of UIKit is needed to hear them, and where nobody posts them,
/// nothing happens.
final class AppPhases: Sendable {
  enum Phase: Sendable, Hashable { case background, foreground }

  static let background = Notification.Name("UIApplicationDidEnterBackgroundNotification")
  static let foreground = Notification.Name("UIApplicationWillEnterForegroundNotification")

  private let stop: @Sendable () -> Void

  init(_ center: NotificationCenter, _ enter: @escaping @Sendable (Phase) -> Void) {
    let observers = Observers(
      center: center,
      tokens: [(Self.background, Phase.background), (Self.foreground, .foreground)].map { name, phase in
        center.addObserver(forName: name, object: nil, queue: nil) { _ in enter(phase) }
      })
    stop = { observers.remove() }
  }

  deinit { stop() }

  /// What a notification center gave to stop observing with.
  ///
  /// `@unchecked Sendable` is sound because `center` and `tokens`, the only members, never change: a
  /// `NotificationCenter` is documented to be safe from any thread, and the tokens are opaque, only ever handed back to
  /// it.
  private final class Observers: @unchecked Sendable {
    private let center: NotificationCenter
    private let tokens: [any NSObjectProtocol]

    init(center: NotificationCenter, tokens: [any NSObjectProtocol]) {
      self.center = center
      self.tokens = tokens
    }

    func remove() { for token in tokens { center.removeObserver(token) } }
  }
}
