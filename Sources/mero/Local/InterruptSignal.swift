import Dispatch
import Foundation

/// Ctrl-C and a polite kill, as something that can be awaited. From its making on, neither ends the process by
/// itself; a second Ctrl-C while things are being closed does.
final class InterruptSignal: @unchecked Sendable {
  // `sources` is set once and only kept alive; `stream` is Sendable.
  private let stream: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
    self.stream = stream
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        continuation.yield()
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  func wait() async {
    for await _ in stream { return }
  }
}
