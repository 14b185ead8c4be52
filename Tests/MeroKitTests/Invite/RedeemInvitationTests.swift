import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("Redeeming an invitation on a node")
struct RedeemInvitationTests {
  private let namespace = Ids.id(0x42)

  /// A node whose join answers so, and which lists these namespaces, or fails to.
  private func node(
    join: @escaping @Sendable () throws -> HTTPResponse, lists: [String]? = []
  ) -> RecordingTransport {
    RecordingTransport { request in
      if request.method == .post { return try join() }
      guard let lists else { return .json(#"{"error":"no"}"#, status: 403) }
      let rows = lists.map {
        #"""
        {"namespaceId":"\#($0)","appKey":"b","targetApplicationId":"a","createdAt":1,"memberCount":1,"contextCount":0,
         "subgroupCount":0}
        """#
      }
      return .json(#"{"data":[\#(rows.joined(separator: ","))]}"#)
    }
  }

  private func redeem(_ transport: RecordingTransport) async throws -> RedeemOutcome {
    let admin: any AdminSurface = try AdminApi(transport)
    return await admin.redeemInvitation(namespace, invitation: Invitations.invitation, teamName: "Team")
  }

  private func failure(_ status: Int, _ text: String) async throws -> RedeemOutcome {
    try await redeem(node(join: { .json(#"{"error":"\#(text)"}"#, status: status) }))
  }

  @Test("20 §8: a join that comes back has joined, whatever a listing would say")
  func joined() async throws {
    let answer = #"{"data":{"namespaceId":"\#(namespace)","memberIdentity":"k","memberAccount":"a"}}"#
    let transport = node(join: { .json(answer) }, lists: nil)
    #expect(try await redeem(transport) == .joined(namespaceId: namespace, teamName: "Team"))
    let sent = try #require(await transport.sent.first?.body)
    #expect(sent == .data(Data(#"{"invitation":\#(try json(Invitations.text).text)}"#.utf8)))
  }

  @Test("20 §8: a join that failed and is listed all the same has landed, and is not sent again")
  func alreadyMember() async throws {
    let transport = node(
      join: { throw TransportError(kind: .timedOut, text: "no answer", mayHaveBeenSent: true) },
      lists: ["other", namespace.uppercased()])
    let outcome = try await redeem(transport)
    #expect(outcome == .alreadyMember(namespaceId: namespace, teamName: "Team"))
    #expect(outcome.isSettled)
    #expect(await transport.sent.filter { $0.method == .post }.count == 1)
  }

  @Test(
    "20 §8: a failure's status says why, and its text where a status has several meanings",
    arguments: [
      (401, "no session", InviteFailureReason.signedOut, true),
      (400, "bad", .invalid, false),
      (400, "invitation for group 42 expired at 1790000000", .expired, false),
      (410, "gone", .expired, false),
      (403, "invitation has expired", .refused, false),
      (409, "removed member", .refused, false),
      (409, "Invitation expired", .expired, false),
      (409, "invitation for group 42 is invalid: signature", .invalid, false),
      (503, "malformed", .noOneOnline, true),
      (504, "nobody", .noOneOnline, true),
      (500, "group_id does not match namespace_id", .invalid, false),
      (500, "Invitation has EXPIRED", .expired, false),
      (500, "the token expired at 5", .unknown, true),
      (500, "invitation for group expired at never", .unknown, true),
      (500, "Internal server error", .unknown, true),
      (502, "", .unknown, true),
      (404, "unknown namespace", .unknown, true),
      (429, "slow down", .unknown, true),
    ])
  func classified(_ status: Int, _ text: String, _ reason: InviteFailureReason, _ retryable: Bool)
    async throws
  {
    let outcome = try await failure(status, text)
    guard case .failed(let id, let message, let found, let again) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(id == namespace)
    #expect(found == reason)
    #expect(again == retryable)
    #expect(outcome.shouldRetain == retryable && outcome.isSettled == !retryable)
    #expect(text.isEmpty ? !message.isEmpty : message == text)
  }

  @Test("20 §8: no answer at all means the node is away, also when the listing fails")
  func unreachable() async throws {
    let transport = node(
      join: { throw TransportError(kind: .cannotConnect, text: "refused", mayHaveBeenSent: false) },
      lists: nil)
    let outcome = try await redeem(transport)
    #expect(
      outcome
        == .failed(namespaceId: namespace, message: "refused", reason: .nodeUnreachable, retryable: true))
  }

  @Test("a session that has ended is a matter of signing in, whatever its status")
  func revoked() async throws {
    let transport = RecordingTransport { _ in
      HTTPResponse(status: 403, headers: ["x-auth-error": "token_revoked"])
    }
    guard case .failed(_, _, .signedOut, true) = try await redeem(transport) else {
      Issue.record("a revoked session was taken for a refusal")
      return
    }
  }

  @Test("an error that is nobody's has a sentence that can be shown")
  func strangeError() async {
    struct Strange: Error {}
    let outcome = await Redeeming(namespaceId: "n", teamName: nil).run {
      throw Strange()
    } memberships: {
      []
    }
    #expect(
      outcome
        == .failed(
          namespaceId: "n", message: "The join did not work. Check the invitation and try again.",
          reason: .unknown,
          retryable: true))
  }

  @Test("the reasons have the raw values that other Calimero SDKs use")
  func rawValues() {
    #expect(
      InviteFailureReason.allCases.map(\.rawValue) == [
        "expired", "invalid", "refused", "signed-out", "no-one-online", "node-unreachable", "unknown",
      ])
  }
}
