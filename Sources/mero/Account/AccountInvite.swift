import Foundation
import MeroKit
import MeroWire

extension AccountSubcommand {
  static let invite = AccountSubcommand(
    name: "invite", summary: "Make a link that invites to a namespace",
    help: """
      usage: mero account invite NAMESPACE [--valid-for SECONDS] [--package NAME] [OPTIONS]

      Signs an invitation and prints it as a link. It is good for one account, the first that joins by it: hand it on like
      a key, and make one for each person. Somebody without a node can redeem it too, when the namespace is hosted.

        --valid-for SECONDS  how long it can be used, at most 86400 (86400)
        --package NAME       the app the link is for (that of the namespace, if this device founded or joined it)
      """,
    values: ["--valid-for", "--package"]
  ) { invocation in
    let namespace = try invocation.group(try invocation.positional(1...1, "a namespace")[0])
    let seconds = try invocation.validity()
    let named = try invocation.arguments.value("--package").map(AccountInvocation.package)
    let session = try await invocation.session(forGroup: namespace)
    guard let package = named ?? invocation.folder.package(of: namespace) else {
      throw UsageError("the namespace's app is not known here: it needs --package NAME")
    }
    let end = seconds.map { UInt64(Date().timeIntervalSince1970) + $0 }
    let made = try await invocation.withAdmin(session) { admin, read in
      try await invocation.naming("namespace \(namespace)", at: session) {
        if named != nil {
          let application = try await read.getGroupInfo(namespace).targetApplicationId
          guard await invocation.isApplication(application, of: package) != false else {
            throw ToolError("the namespace runs another app than \(package)")
          }
        }
        return try await admin.createNamespaceInvitation(
          namespace, request: CreateNamespaceInvitationRequest(expirationTimestamp: end))
      }
    }
    guard let invitation = made.invitation else { throw ToolError("no invitation was made") }
    let link = InviteLink.url(slug: package, token: InviteCodec.encode(invitation))
    invocation.report(link, ["namespaceId": .string(namespace), "link": .string(link)])
    return ExitCode.success
  }
}
