import Foundation
import MeroAPI

extension RequestEngine {
  /// After the first sign of life, asks the cluster for its nodes once (70 §2.5). A list is only a hint: each node is
  /// attested before use, and a failure to get it is nobody's concern.
  func discover(_ pool: NodePool) async {
    guard options.discoverNodes else { return }
    await pool.discoverOnce {
      let request = APIRequest(
        operation: .publicNodeList, method: .get, path: "/nodes", headers: ["accept": "application/json"])
      guard let response = try? await perform(request, plan: RequestPlan(request)),
        let list = try? response.decoded(Components.Schemas.NodeAddressList.self, for: request)
      else { return }
      for node in list.nodes where node.state == nil || node.state == .active {
        guard let url = try? ClientConfiguration.nodeURL(node.url) else { continue }
        guard (try? ClientConfiguration.requireTLS(url, options)) != nil else { continue }
        await pool.add(url, id: node.nodeId)
      }
    }
  }
}
