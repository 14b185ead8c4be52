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
    // Made-up values that are out of bounds; every name and every kind of value is the document's.
    #expect(
      rig.cloud.unfitRequests.sorted() == [
        "app_blob_put: sha256 does not have the form required here",
        "app_job_create: timeoutMs is below 1000",
        "app_timer_create: schedule.everyMs is below 1000",
        "app_upload_begin: sha256 does not have the form required here",
        "consent_request_create: state has fewer than 22 characters",
        "consent_token: codeVerifier has fewer than 43 characters",
        "org_invite_create: expiresInMs is below 60000",
        "public_attest: nonce does not have the form required here",
      ])
    #expect(rig.cloud.lapses == [])
    for call in calls { #expect(!rig.cloud.log.requests(call.operation).isEmpty, "\(call)") }
  }
}
