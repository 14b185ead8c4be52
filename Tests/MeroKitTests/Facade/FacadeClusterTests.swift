import MeroAPI
import Testing

@testable import MeroKit

@Suite("The facade against a cluster")
struct FacadeClusterTests {
  /// The ids are made up, so most answers are refusals; what is shown is that every method's request gets through to
  /// a node that checks it, and that its answer is read.
  @Test("70 §2.27 #25: every method is called once, and no request or answer strays from the document")
  func everyMethod() async throws {
    let rig = SessionRig()
    let client = rig.client()
    try await client.signUp(rig.passkey, name: "ada")
    let groups = Groups(caller: client.core)
    // What ends the session comes last.
    let calls =
      FacadeCall.all.filter { $0.operation != "auth_signout" }
      + FacadeCall.all.filter { $0.operation == "auth_signout" }
    for call in calls {
      do {
        try await call.run(groups)
      } catch CalimeroError.api(let refusal) {
        #expect(refusal.code != .badRequest, "\(call): \(refusal)")
      } catch CalimeroError.confirm {
      } catch CalimeroError.passkey {
      } catch {
        Issue.record("\(call): \(error)")
      }
    }
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.lapses == [])
    for call in calls { #expect(!rig.cloud.log.requests(call.operation).isEmpty, "\(call)") }
  }
}
