import Foundation
import MeroAPI
import MeroWire

@testable import MeroKit

/// Events of one app for tests; event `n` is the one at position `n`.
enum EventSamples {
  static let app = "app_1"

  static func event(_ seq: UInt64, _ index: Int32 = 0, kind: String = "Sent", data: JSONValue = [:])
    -> AppEvent
  {
    AppEvent(
      cursor: "c\(seq).\(index)", seq: seq, index: index, kind: kind, appId: app, at: 1_790_000_000_000,
      data: data)
  }

  static func ready(_ seq: UInt64) -> AppEvent { event(seq, kind: NodeEventKind.ready) }

  /// The event as a node writes it.
  static func wire(_ event: AppEvent) throws -> Data {
    let json = String(decoding: try ExactJSON.encode(event), as: UTF8.self)
    return Data("id: \(event.cursor)\nevent: \(event.kind)\ndata: \(json)\n\n".utf8)
  }
}
