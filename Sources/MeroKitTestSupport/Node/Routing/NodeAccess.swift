/// Who may use a route, in the words of the endpoint list's `auth` column (20 §1.4), plus two for the auth service.
enum NodeAccess: Sendable, Hashable {
  /// `public`: anyone.
  case everyone
  /// `token:P`: a node session that holds P.
  case token(String)
  /// `account:P`: a node session that holds P, or any account session.
  case account(String)
  /// `delegated:P`: anyone on a relay with delegated access, else a session that holds P.
  case delegated(String)
  /// `token:unknown`: any session.
  case anySession
  /// `service` or `service:P`: the auth service's own routes, which answer 400 where no bearer is sent.
  case service(String?)

  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let permission = parts.count == 2 ? parts[1] : nil
    switch (parts.first, permission) {
    case ("public", nil): self = .everyone
    case ("token", "unknown"): self = .anySession
    case ("token", let permission?): self = .token(permission)
    case ("account", let permission?): self = .account(permission)
    case ("delegated", let permission?): self = .delegated(permission)
    case ("service", let permission): self = .service(permission)
    default: preconditionFailure("\(text) says nothing about who may use a route")
    }
  }
}
