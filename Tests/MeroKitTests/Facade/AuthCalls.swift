import MeroKit

extension FacadeCall {
  static var auth: [FacadeCall] {
    [
      FacadeCall("auth_signup_begin") {
        _ = try await $0.auth.signupBegin(
          name: "name", displayName: "displayName", invite: "invite", options: options)
      },
      FacadeCall("auth_signup_finish") {
        _ = try await $0.auth.signupFinish(
          ceremonyId: "ceremonyId", credential: registration, label: "label", options: options)
      },
      FacadeCall("auth_signin_begin") { _ = try await $0.auth.signinBegin(name: "name", options: options) },
      FacadeCall("auth_signin_finish") {
        _ = try await $0.auth.signinFinish(
          ceremonyId: "ceremonyId", credential: assertion, label: "label", options: options)
      },
      FacadeCall("auth_refresh") {
        _ = try await $0.auth.refresh(refreshToken: "refreshToken", options: options)
      },
      FacadeCall("auth_signout") { try await $0.auth.signout(options: options) },
      FacadeCall("auth_session_get") { _ = try await $0.auth.sessionGet(options: options) },
      FacadeCall("auth_session_list") {
        _ = try await $0.auth.sessionList(cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("auth_session_revoke") {
        try await $0.auth.sessionRevoke(session: "session", options: options)
      },
      FacadeCall("auth_passkey_list") { _ = try await $0.auth.passkeyList(options: options) },
      FacadeCall("auth_passkey_begin") {
        _ = try await $0.auth.passkeyBegin(label: "label", passkey: passkey, options: options)
      },
      FacadeCall("auth_passkey_finish") {
        _ = try await $0.auth.passkeyFinish(
          ceremonyId: "ceremonyId", credential: registration, label: "label", options: options)
      },
      FacadeCall("auth_passkey_remove") {
        try await $0.auth.passkeyRemove(passkey: "passkey", passkey: passkey, options: options)
      },
      FacadeCall("auth_key_list") {
        _ = try await $0.auth.keyList(cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("auth_key_create") {
        _ = try await $0.auth.keyCreate(
          label: "label", scopes: ["scopes"], apps: ["apps"], orgs: ["orgs"], expiresAt: 7, passkey: passkey,
          options: options)
      },
      FacadeCall("auth_key_revoke") { try await $0.auth.keyRevoke(key: "key", options: options) },
    ]
  }
}
