/// What a scope means, for whoever is asked to grant it (70 §2.13).
enum ScopeWords {
  private static let known: [String: String] = [
    "apps:read": "See your apps, their packages and interfaces",
    "apps:call": "Change the data of your apps",
    "apps:view": "Read the data of your apps, and search it",
    "apps:events": "Follow what happens in your apps and who is there",
    "apps:manage": "Make and change apps and decide who may use them",
    "storage:read": "Read files",
    "storage:write": "Add and delete files",
    "jobs:run": "Start and stop long-running work",
    "timers:manage": "Set and remove timers",
    "orgs:read": "See your organizations, their members and teams",
    "orgs:manage": "Change your organizations, teams and invitations",
    "packages:publish": "Publish packages",
    "deployments:manage": "See and change deployments",
    "ops:read": "Read what operators see",
    "ops:write": "Act as an operator, together with an operator's signature",
  ]

  /// A sentence.
  static func of(_ scope: String) -> String { known[scope] ?? "Something this page has no words for" }
}
