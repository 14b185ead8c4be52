import Foundation
import MeroHTTP
import MeroKitTestSupport

/// Bytes in memory that are put as slowly as a test likes, or not at all.
final class GatedBytes: BlobBytes {
  struct Full: Error {}

  private let memory = MemoryBlobBytes()
  private let gate = DispatchSemaphore(value: 0)
  private let state = Locked((isWaiting: false, timedOut: false, isFull: false, puts: 0, removals: 0))

  /// Whether a put waits to be let through.
  var isWaiting: Bool { state.withLock { $0.isWaiting } }
  /// Whether one waited in vain.
  var timedOut: Bool { state.withLock { $0.timedOut } }
  /// How many names have bytes.
  var count: Int { state.withLock { $0.puts - $0.removals } }

  /// Lets one put through.
  func open() { gate.signal() }

  func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

  func put(_ bytes: Data, as name: String) throws {
    let isFull = state.withLock { state in
      state.isWaiting = true
      return state.isFull
    }
    if isFull { throw Full() }
    let result = gate.wait(timeout: .now() + 20)
    state.withLock { state in
      state.isWaiting = false
      if result == .timedOut { state.timedOut = true }
      state.puts += 1
    }
    memory.put(bytes, as: name)
  }

  func get(_ name: String, _ range: Range<Int>) -> Data? { memory.get(name, range) }

  func remove(_ name: String) {
    memory.remove(name)
    state.withLock { $0.removals += 1 }
  }
}
