import Foundation
import MeroHTTP
import MeroSealed
import Testing

@testable import MeroKitTestSupport

@Suite("Requests with something wrong with them")
struct ClusterFuzzTests {
  @Test("every operation of the document is served")
  func complete() {
    // A node attests itself; the cluster's state has no part in it.
    let served = Set(ClusterState.handlers.keys).union(["public_attest"])
    #expect(APIDocument.shared.operations.map(\.id).filter { !served.contains($0) } == [])
  }

  @Test(
    "every operation answers 200 mutated requests with something its document knows, and the cluster goes on",
    .timeLimit(.minutes(5)), arguments: APIDocument.shared.operations.map(\.id))
  func mutatedRequests(_ id: String) async throws {
    let operation = try #require(APIDocument.shared.operations.first { $0.id == id })
    let world = try await FuzzWorld()
    let requests = FuzzRequests(world)
    var seen: Set<Int> = []
    for seed in 0..<200 as Range<UInt64> {
      let request = try await requests.request(for: operation, seed: seed)
      let statuses = try await requests.send(request, seed: seed)
      #expect(!statuses.contains(500), "\(id), seed \(seed): \(request.path)")
      seen.formUnion(statuses)
    }
    #expect(world.cloud.violations.isEmpty, "\(id): \(world.cloud.violations.prefix(3))")
    // Some of them were not wrong enough, so what lies behind all of the checks was reached.
    #expect(seen.contains { (200..<300).contains($0) }, "\(id): \(seen.sorted())")
    // Whatever the operation did would survive the cluster.
    #expect(try world.rig.lost() == [], "\(id)")
    // Whatever came, the cluster still answers.
    let after = SealedInnerRequest(
      method: "GET", path: "/health", headers: [:], body: Data(), requestId: 1, sessionId: [])
    #expect(try await requests.send(after, seed: 0) == [200])
  }
}
