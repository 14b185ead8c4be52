import Foundation
import MeroAPI
import MeroCrypto
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("From an application to an upgraded app")
struct DeployerStoryTests {
  private static func counter(_ version: String, step: Int64) -> FakePackage {
    FakePackage("com.acme.counter", version: version) {
      $0.call("add") { context, _ in
        let sum = (context["count"]?.int64 ?? 0) + step
        context["count"] = JSONValue(sum)
        return JSONValue(sum)
      }
      $0.view("count") { context, _ in context["count"] ?? 0 }
      $0.migrate { context, args in context["from"] = args["from"] }
    }
  }

  @Test(
    "an organization applies, is approved by a signed vote, publishes and deploys; an app is made of it and upgraded"
  )
  func story() async throws {
    let world = try await OperatorRig()
    let (ada, olga, cloud) = (world.ada, world.olga, world.rig.cloud)
    await ada.useStepUp(world.rig.passkey)
    await olga.useOperatorSigner(world.key)

    let signup = try await ada.deployments.signupCreate(org: world.org, reason: "A counter.")
    #expect(signup.state == .pending)
    let waiting = try await olga.ops.decisionList(state: .pending).decisions
    #expect(waiting.map(\.kind) == ["deployer.approve"])
    let decision = try await olga.ops.decisionVote(decision: waiting[0].decisionId, verdict: .approve)
    #expect(decision.state == .approved)
    #expect(try await ada.deployments.signupGet(signup: signup.signupId).state == .approved)
    #expect(try await ada.deployments.deployerList().deployers.map(\.orgId) == [world.org])

    let first = Self.counter("1.0.0", step: 1)
    cloud.provideCode(of: first)
    let bundle = try first.bundle(signedBy: OperatorRig.publisher, name: "Counter", summary: "It counts.")
    let version = try await ada.packages.publish(package: first.name, body: bundle, org: world.org)
    #expect(version.version == "1.0.0")
    let deployment = try await ada.deployments.create(
      package: first.name, version: "1.0.0", org: world.org, autoUpgrade: true)
    #expect(deployment.state == .pending)
    await #expect { try await ada.apps.create(name: "one", package: first.name, org: world.org) } throws: {
      ($0 as? CalimeroError)?.code == .notFound
    }
    _ = try await olga.ops.decisionVote(decision: deployment.decisionId ?? "", verdict: .approve)
    #expect(try await ada.deployments.get(deployment: deployment.deploymentId).state == .live)
    #expect(try await ada.packages.list(query: "counts").packages.map(\.name) == ["Counter"])

    let app = try await ada.apps.create(name: "one", package: first.name, org: world.org)
    #expect(app.version == "1.0.0")
    #expect(app.codeHash == version.codeHash)
    #expect(try await ada.call(app.appId, "add") == 1)

    let second = Self.counter("2.0.0", step: 10)
    cloud.provideCode(of: second)
    _ = try await ada.packages.publish(
      package: second.name, body: try second.bundle(signedBy: OperatorRig.publisher), org: world.org)
    let updated = try await ada.deployments.update(deployment: deployment.deploymentId, version: "2.0.0")
    #expect(updated.state == .live)
    #expect(try await ada.apps.get(app: app.appId).version == "2.0.0")
    #expect(try await ada.call(app.appId, "add") == 11)
    let upgraded = try await ada.eventPage(app.appId).events.first { $0.kind == "calimero.upgraded" }
    #expect(upgraded?.data["to"] == "2.0.0")
    #expect(
      try await ada.packages.versionList(package: first.name).versions.map(\.version) == ["2.0.0", "1.0.0"])

    // What was decided proves itself: the statement is made anew from the vote's request.
    for id in [decision.decisionId, deployment.decisionId ?? ""] {
      let kept = try #require(cloud.evidence(ofDecision: id).first)
      let statement = OperatorStatement(
        method: kept.method, path: kept.path, body: kept.body, action: "ops_decision_vote", summary: "",
        clusterId: cloud.clusterId, nonce: kept.nonce, issuedAt: kept.issuedAt, expiresAt: kept.expiresAt)
      let key = try Ed25519.PublicKey(bytes: world.key.publicKey)
      #expect(key.isValid(kept.signature, for: statement.bytes))
      let vote = try #require(try await olga.ops.decisionGet(decision: id).votes.first)
      #expect(vote.signature == Base64URL.encode(kept.signature))
      #expect(vote.operatorKey == kept.key)
    }
    #expect(cloud.violations.isEmpty)
    #expect(cloud.unfitRequests == [])
  }
}
