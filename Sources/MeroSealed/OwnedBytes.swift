import Foundation

/// Memory that is filled once and then seen as `Data`, in whole or in part, without copying.
///
/// Opening a large body leaves its plaintext behind a few bytes of framing. Foundation copies when a `Data` drops a
/// prefix and starts again at zero; this does not.
struct OwnedBytes: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer
  /// Below this, copying costs less than keeping a deallocator.
  private static let copyLimit = 2048

  init(count: Int) {
    memory = .allocate(byteCount: count, alignment: 1)
  }

  deinit {
    memory.deallocate()
  }

  func withBytes<R, E: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(memory)
  }

  /// Everything from `offset` on; the memory belongs to the result afterwards.
  consuming func data(from offset: Int = 0) -> Data {
    let memory = memory
    discard self
    let count = memory.count - offset
    guard count > Self.copyLimit, let start = memory.baseAddress else {
      defer { memory.deallocate() }
      return Data(UnsafeRawBufferPointer(rebasing: memory[offset...]))
    }
    return Data(
      bytesNoCopy: start + offset, count: count, deallocator: .custom { _, _ in memory.deallocate() })
  }
}
