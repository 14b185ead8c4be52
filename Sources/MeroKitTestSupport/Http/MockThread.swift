import Foundation

/// Where a session wants to hear of its protocol.
///
/// On Apple systems that is the thread on which it began to load, whose run loop takes what is to be done there. On Linux
/// it is any.
///
/// `@unchecked Sendable` is sound because `loop`, its only member, never changes, and Core Foundation lets every thread hand a run
/// loop blocks and wake it, the only two things done with it here. On Linux it has no member.
struct MockThread: @unchecked Sendable {
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
