import Foundation
import MeroKit
import MeroWire

extension NodeSubcommand {
  static let join = NodeSubcommand(
    name: "join", summary: "Join with an invitation, and take part in its contexts",
    help: """
      usage: mero node join FILE [--group] [OPTIONS]

      Redeems the invitation in a file, as “mero node invite” wrote it; - is the standard input. Then the node takes part in
      the contexts of the group, whose data arrives by and by. Joining twice is fine.

        --group  the invitation is to a group, not to a namespace
      """,
    flags: ["--group"]
  ) { try await NodeJoin(invocation: $0).run() }
}

private struct NodeJoin {
  let invocation: NodeInvocation

  func run() async throws -> Int32 {
    let file = try invocation.positional(1...1, "a file with an invitation, or -")[0]
    let invitations = try Self.read(try invocation.contents(of: file))
    let admin = try invocation.connect().admin
    for (index, invited) in invitations.enumerated() {
      let isGroup = index > 0 || invocation.arguments.has("--group")
      guard try await join(invited, isGroup: isGroup, admin) else { return ExitCode.failure }
      await takePart(in: invited.invitation.invitation.namespaceId, admin)
    }
    return ExitCode.success
  }

  private struct Invited: Decodable {
    let invitation: SignedGroupOpenInvitation
    let groupName: String?
  }

  /// One invitation, as it is or as a node answers it, or one for each group of a tree.
  private static func read(_ data: Data) throws -> [Invited] {
    do {
      let json = try JSONValue(parsing: data)
      let list = try (json["invitations"]?.arrayValue ?? [json]).map { entry -> Invited in
        // An invitation by itself has its signature at the top.
        guard entry["inviter_signature"] == nil, entry["inviterSignature"] == nil else {
          return Invited(invitation: try entry.decode(SignedGroupOpenInvitation.self), groupName: nil)
        }
        return try entry.decode(Invited.self)
      }
      guard !list.isEmpty else { throw ToolError("there is no invitation in it") }
      return list
    } catch let error as WireError {
      throw ToolError("the file holds no invitation: \(error.reason)")
    } catch is DecodingError {
      throw ToolError("the file holds no invitation")
    }
  }

  private func join(_ invited: Invited, isGroup: Bool, _ admin: AdminApi) async throws -> Bool {
    let group = invited.invitation.invitation.namespaceId
    if isGroup {
      try await admin.joinGroup(
        JoinGroupRequest(invitation: invited.invitation, groupName: invited.groupName))
      report(group, "joined")
      return true
    }
    switch await admin.redeemInvitation(group, invitation: invited.invitation, groupName: invited.groupName) {
    case .joined: report(group, "joined")
    case .alreadyMember: report(group, "already a member of")
    case .failed(_, let message, let reason, let isRetryable):
      let hint = isRetryable ? "; it may work later" : ""
      invocation.surroundings.tell("mero node join: \(message) (\(reason.rawValue))\(hint)".printable)
      return false
    }
    return true
  }

  private func report(_ group: String, _ what: String) {
    invocation.report(
      "\(what) \(group)", ["groupId": .string(group), "joined": .bool(true), "new": .bool(what == "joined")])
  }

  /// Joined is joined, also when peers are away and nothing can be synced yet.
  private func takePart(in group: String, _ admin: AdminApi) async {
    do {
      for context in try await admin.syncGroupContexts(group) {
        invocation.report(
          "  context \(context.contextId)  \(context.name ?? "-")",
          ["groupId": .string(group), "contextId": .string(context.contextId)])
      }
    } catch {
      invocation.surroundings.tell("its contexts are not here yet: \("\(error)".printable)")
    }
  }
}
