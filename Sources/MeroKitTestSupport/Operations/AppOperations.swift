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
    guard caller.apps.isEmpty else {
      throw Refusal.forbidden("create apps, since its credential is limited to others")
    }
    let fields = try x.fields()
    guard let (org, _) = found else { throw Refusal.notFound("organization") }
    let name = fields["name"]?.stringValue ?? ""
    try requireName(name)
    return try onceInTime(x, caller) {
      let app: AppRecord
      if let begun = x.begun {
        // What became of the package meanwhile is nothing to an app that was begun.
        guard let made = begun.app.flatMap({ apps[$0] }) else { throw Refusal.notFound("app") }
        app = made
      } else {
        let package = try packageForNewApps(
          fields["package"]?.stringValue ?? "", version: fields["version"]?.stringValue, at: x.now)
        let access = fields["orgAccess"]?.stringValue.flatMap { OrgAccess(rawValue: $0) } ?? .none
        app = try makeApp(name, package, org, access, by: caller.account, at: x.now)
        let seconds = package.definition.initializeSeconds
        if seconds > 0 {
          app.state = .creating
          return .pause(seconds: seconds, Begun(app: app.id))
        }
      }
      try begin(app, with: fields["initArgs"] ?? [:], by: caller.account, at: x.now)
      // Whoever asked for a version gets that one; others get what the deployment has come to meanwhile.
      if x.isResumed, fields["version"] == nil { follow(app, at: x.now) }
      return .answer(201, describe(app, role: .manager, at: x.node))
    }
  }

  private func makeApp(
    _ name: String, _ package: FakePackage, _ org: OrgRecord, _ access: OrgAccess, by account: AccountRecord,
    at now: Int64
  ) throws -> AppRecord {
    guard appNamed(name, in: org) == nil else { throw Refusal.nameTaken(name) }
    try requireQuota(org, .apps)
    changes += 1
    let id = ids.id("app", at: now)
    let app = AppRecord(
      id: id, name: name, package: package, org: org, orgAccess: access, createdBy: account, createdAt: now,
      change: changes, data: AppData(), events: EventLog(appId: id, secret: secret))
    apps.insert(app)
    org.apps[id] = app
    return app
  }

  /// Runs the package's own beginning. When that fails nothing remains, and the error is the answer (70 §2.20). What it emits
  /// are the app's first events.
  private func begin(
    _ app: AppRecord, with args: JSONValue, by account: AccountRecord, at now: Int64
  ) throws {
    let context = context(for: account, data: AppData(), at: now)
    do {
      if let setup = app.package.definition.initialize {
        try run {
          try setup(context, args)
          try requireOwnKinds(context)
        }
      }
    } catch {
      forget(app)
      throw error
    }
    app.begin(context.data, change: app.now.change)
    for event in context.events {
      let place = app.events.placeAfter(app.now.seq)
      app.events.append(
        seq: place.seq, index: place.index, change: app.now.change, kind: event.kind, data: event.data,
        actor: account.id, at: now)
    }
    if app.state == .creating { move(app, to: .ready, by: account, at: now) }
  }

  func appNamed(_ name: String, in org: OrgRecord) -> AppRecord? {
    org.apps.values.first { $0.name.lowercased() == name.lowercased() }
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
    }
    return try list("apps", visible, x, for: caller, by: \.id, isBefore: >) {
      describe($0, role: $0.role(of: caller.account) ?? .reader, at: x.node)
    }
  }

  func describe(_ app: AppRecord, role: AppRole, at node: Int) -> JSONValue {
    [
      "appId": .string(app.id), "name": .string(app.name), "package": .string(app.package.name),
      "version": .string(app.package.version), "orgId": .string(app.org.id),
      "state": .string(app.state.rawValue), "role": .string(role.rawValue),
      "orgAccess": .string(app.orgAccess.rawValue),
      "seq": JSONValue(app.position(at: applied(by: node))?.seq ?? 0), "createdAt": JSONValue(app.createdAt),
      "createdBy": .string(app.createdBy.id), "codeHash": .string(app.package.codeHash),
    ]
  }
}

extension Refusal {
  static func nameTaken(_ name: String) -> Refusal {
    Refusal(409, "NAME_TAKEN", "the organization has an app named \(name)")
  }
}
