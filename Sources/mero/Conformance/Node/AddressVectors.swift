import Foundation
import MeroKit
import MeroKitTestSupport

extension NodeGroup {
  /// The addresses that requests go to, below a node's own.
  static let addresses = NodeGroup(name: "baseUrl") { file, run in
    let names = ["join-0", "join-1", "join-2", "join-3"]
    await NodeCases(["1": names]).check("baseUrl", in: file, &run) { _, object in
      let (base, path) = (try object.text("base"), try object.text("path"))
      let expected = try object.text("expect")
      try require("the address", nodeEndpoint(base, path), is: expected)
      guard let url = URL(string: base) else { throw Mismatch("the base is no address") }
      let node = ScriptedNode { _ in .json([:]) }
      _ = try await NodeHTTP(baseURL: url, transport: node).send(.get, path)
      try require("what is asked", node.requests.map(\.url.absoluteString), is: [expected])
    }
  }
}
