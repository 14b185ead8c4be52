import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport

/// The first node of a cluster on a socket, which also answers one address in the clear with the body that it got.
final class BenchServer: Sendable {
  private static let plainPath = "/bench/plain"

  let cloud: FakeCloud
  let url: URL
  private let listener: HTTPListener

  /// Where a plain POST goes.
  var plainURL: URL { url.appendingPathComponent(Self.plainPath) }

  init(_ cloud: FakeCloud) throws {
    self.cloud = cloud
    let node = cloud.nodes[0]
    listener = HTTPListener(port: 0) { request in
      guard request.url.path == Self.plainPath else { return try await node.handle(request) }
      guard case .data(let body) = request.body else { return HTTPResponse(status: 400) }
      return HTTPResponse(status: 200, headers: ["content-type": "application/json"], body: HTTPBody(body))
    }
    url = URL(string: "http://127.0.0.1:\(try listener.start())")!  // a constant with a number in it parses
  }

  func stopSoon() {
    let listener = listener
    Task { await listener.stop() }
  }
}
