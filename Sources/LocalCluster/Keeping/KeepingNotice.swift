import Dispatch
import MeroHTTP

/// Tells whoever runs a cluster that it cannot be kept, once, and once that it can be again.
///
/// It tells on a queue of its own. Whoever writes holds the cluster's lock, and a console that nobody reads must not stop
/// the cluster, nor one that asks the cluster something wait for itself.
final class KeepingNotice: Sendable {
  private let tell: @Sendable (String) -> Void
  private let isFailing = Locked(false)
  private let queue = DispatchQueue(label: "merokit.keeping.notice")

  init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  func failed(_ text: @autoclosure () -> String) { turn(true, text) }

  func worked(_ text: @autoclosure () -> String) { turn(false, text) }

  /// Waits until everything so far was told.
  func settle() { queue.sync {} }

  private func turn(_ isFailing: Bool, _ text: () -> String) {
    self.isFailing.withLock { wasFailing in
      guard wasFailing != isFailing else { return }
      wasFailing = isFailing
      queue.async { [tell, words = text()] in tell(words) }
    }
  }
}
