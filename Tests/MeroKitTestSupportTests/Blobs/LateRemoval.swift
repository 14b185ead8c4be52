import Foundation
import MeroHTTP
import MeroKitTestSupport

/// Bytes in memory whose removal waits until a test lets it happen, as on a thread that was held up.
final class LateRemoval: BlobBytes {
  private struct State {
    var bytes: [String: Data] = [:]
    var unwanted: [String] = []
  }

  private let state = Locked(State())

  /// The names that have bytes.
  var names: Set<String> { state.withLock { Set($0.bytes.keys) } }

  func put(_ bytes: Data, as name: String) { state.withLock { $0.bytes[name] = bytes } }

  func get(_ name: String, _ range: Range<Int>) -> Data? {
    guard let bytes = state.withLock({ $0.bytes[name] }) else { return nil }
    return bytes.dropFirst(range.lowerBound).prefix(range.count)
  }

  func remove(_ name: String) { state.withLock { $0.unwanted.append(name) } }

  /// Removes what was to be removed so far.
  func removeAsAsked() {
    state.withLock { state in
      for name in state.unwanted { state.bytes[name] = nil }
      state.unwanted = []
    }
  }
}
