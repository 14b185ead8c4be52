import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport

extension NodeGroup {
  /// Which answers are those of a healthy node.
  static let discovery = NodeGroup(name: "discovery") { file, run in
    // Much of a body may be different without changing the answer, so each case is known by its own.
    let known = [
      (200, #"{"data":{"status":"alive"}}"#), (200, #"{"status":"ALIVE"}"#), (200, #"{"data":{}}"#),
      (200, "hello"), (200, #"{"data":{"status":null}}"#), (200, #"{"data":{"status":"store_unavailable"}}"#),
      (503, #"{"data":{"status":"store_unavailable"}}"#),
    ]
    let names = known.indices.map { "disc-\($0)" }
    await NodeCases(["7": names]).check("discovery", in: file, &run) { name, object in
      let (status, body) = (try object.number("status"), try object.text("body"))
      let (knownStatus, knownBody) = known[names.firstIndex(of: name) ?? 0]
      try require("the status", status, is: knownStatus)
      try require("the body", body, is: knownBody)
      let node = ScriptedNode { _ in HTTPResponse(status: status, body: HTTPBody(Data(body.utf8))) }
      let isHealthy = try await awaiting { await probeNodeHealth(localNodeUrl(2428), transport: node) }
      try require("the health", isHealthy, is: try object.flag("expectHealthy"))
      let asked = node.requests.map { "\($0.method.rawValue) \($0.url.absoluteString)" }
      try require("what is asked", asked, is: ["GET http://localhost:2428/admin-api/health"])
    }
  }
}
