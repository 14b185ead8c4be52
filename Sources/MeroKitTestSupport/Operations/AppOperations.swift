import Foundation
import MeroWire

extension ClusterState {
  static let appHandlers: [String: Handler] = [
    "app_create": { state, _, x in try state.createApp(x) },
    "app_get": { state, _, x in try state.getApp(x) },
    "app_list": { state, _, x in try state.listApps(x) },
  ]

  private func createApp(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let found = try x.peek("org").map { try org($0, for: caller) }
    if let (_, role) = found, role.strength < OrgRole.member.strength {
      throw Refusal.forbidden("create apps")
    }
    let fields = try x.fields()
    guard let (org, _) = found else { throw Refusal.notFound("organization") }
    let name = fields["name"]?.stringValue ?? ""
    try requireName(name)
    return try once(x, caller) {
      let package = try packageForNewApps(
        fields["package"]?.stringValue ?? "", version: fields["version"]?.stringValue, at: x.now)
      guard !org.apps.values.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw Refusal(409, "NAME_TAKEN", "the organization has an app named \(name)")
      }
      try requireQuota(org, .apps)
      let data = try initialize(package, by: caller.account, args: fields["initArgs"] ?? [:], x)
      changes += 1
      let id = ids.id("app", at: x.now)
      let access = fields["orgAccess"]?.stringValue.flatMap { OrgAccess(rawValue: $0) } ?? .none
      let app = AppRecord(
        id: id, name: name, package: package, org: org, orgAccess: access, createdBy: caller.account,
        createdAt: x.now, change: changes, data: data, events: EventLog(appId: id, secret: secret))
      apps.insert(app)
      org.apps[id] = app
      return (201, describe(app, role: .manager, at: x.node))
    }
  }

  private func getApp(_ x: Exchange) throws -> Outcome {
    let (app, role) = try app(x, for: caller(x))
    _ = try x.fields()
    return .answer(200, describe(app, role: role, at: x.node))
  }

  private func listApps(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    let (org, package) = (x.query["org"], x.query["package"])
    let known = applied(by: x.node)
    let visible = apps.values.filter { app in
      (org == nil || app.org.id == org) && (package == nil || app.package.name == package)
        && app.position(at: known) != nil && app.role(of: caller.account) != nil && caller.mayKnow(app: app)
    }.sorted { $0.id > $1.id }
    let listing = "app_list \(caller.account.id) org=\(org ?? "") package=\(package ?? "")"
    let page = try pages.page(
      of: visible, listing: listing, cursor: x.query["cursor"], limit: x.limit(50), ids: ids, key: \.id,
      isBefore: >)
    let items = page.items.map { describe($0, role: $0.role(of: caller.account) ?? .reader, at: x.node) }
    var answer: JSONObject = ["apps": .array(items)]
    answer["nextCursor"] = page.next.map { .string($0) }
    return .answer(200, .object(answer))
  }

  private func describe(_ app: AppRecord, role: AppRole, at node: Int) -> JSONValue {
    [
      "appId": .string(app.id), "name": .string(app.name), "package": .string(app.package.name),
      "version": .string(app.package.version), "orgId": .string(app.org.id),
      "state": .string(app.state.rawValue), "role": .string(role.rawValue),
      "orgAccess": .string(app.orgAccess.rawValue),
      "seq": JSONValue(app.position(at: applied(by: node))?.seq ?? 0), "createdAt": JSONValue(app.createdAt),
      "createdBy": .string(app.createdBy.id), "codeHash": .string(app.package.codeHash),
    ]
  }

  private func initialize(
    _ package: FakePackage, by account: AccountRecord, args: JSONValue, _ x: Exchange
  ) throws -> AppData {
    guard let setup = package.definition.initialize else { return AppData() }
    let context = context(for: account, data: AppData(), x)
    try run { try setup(context, args) }
    return context.data
  }
}
