import Foundation

/// Where a session wants to hear of its protocol.
///
/// On Apple systems that is the thread on which it began to load, whose run loop takes what is to be done there. On Linux
/// it is any.
struct MockThread: @unchecked Sendable {
  // Sound because a run loop may be handed blocks, and be woken, from every thread.
  #if canImport(Darwin)
    private let loop = CFRunLoopGetCurrent()

    func perform(_ body: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(loop, CFRunLoopMode.defaultMode.rawValue, body)
      CFRunLoopWakeUp(loop)
    }
  #else
    func perform(_ body: @escaping @Sendable () -> Void) { body() }
  #endif
}
