import MeroKit

extension FacadeCall {
  static var consent: [FacadeCall] {
    [
      FacadeCall("consent_request_create") {
        _ = try await $0.consent.requestCreate(
          package: "package", scopes: ["scopes"], redirectUri: "redirectUri", state: "state",
          codeChallenge: "codeChallenge", apps: ["apps"], label: "label", options: options)
      },
      FacadeCall("consent_request_get") {
        _ = try await $0.consent.requestGet(request: "request", options: options)
      },
      FacadeCall("consent_approve") {
        _ = try await $0.consent.approve(
          request: "request", scopes: ["scopes"], apps: ["apps"], passkey: passkey, options: options)
      },
      FacadeCall("consent_deny") { _ = try await $0.consent.deny(request: "request", options: options) },
      FacadeCall("consent_token") {
        _ = try await $0.consent.token(
          requestId: "requestId", code: "code", codeVerifier: "codeVerifier", options: options)
      },
      FacadeCall("consent_grant_list") {
        _ = try await $0.consent.grantList(cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("consent_grant_revoke") {
        try await $0.consent.grantRevoke(grant: "grant", options: options)
      },
    ]
  }
}
