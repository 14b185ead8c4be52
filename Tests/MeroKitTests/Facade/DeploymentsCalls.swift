import MeroKit

extension FacadeCall {
  static var deployments: [FacadeCall] {
    [
      FacadeCall("signup_create") {
        _ = try await $0.deployments.signupCreate(
          org: "org", reason: "reason", contact: "contact", options: options)
      },
      FacadeCall("signup_get") { _ = try await $0.deployments.signupGet(signup: "signup", options: options) },
      FacadeCall("deployer_list") {
        _ = try await $0.deployments.deployerList(cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("deployer_remove") {
        try await $0.deployments.deployerRemove(
          deployer: "deployer", operatorSigner: signer, options: options)
      },
      FacadeCall("deployment_list") {
        _ = try await $0.deployments.list(org: "org", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("deployment_create") {
        _ = try await $0.deployments.create(
          package: "package", version: "version", org: "org", autoUpgrade: true,
          redirectUris: ["redirectUris"], siteBlob: "siteBlob", idempotencyKey: "idempotencyKey",
          passkey: passkey, options: options)
      },
      FacadeCall("deployment_get") {
        _ = try await $0.deployments.get(deployment: "deployment", options: options)
      },
      FacadeCall("deployment_update") {
        _ = try await $0.deployments.update(
          deployment: "deployment", version: "version", state: .live, autoUpgrade: true,
          redirectUris: ["redirectUris"], siteBlob: "siteBlob", passkey: passkey, options: options)
      },
      FacadeCall("deployment_delete") {
        try await $0.deployments.delete(deployment: "deployment", passkey: passkey, options: options)
      },
    ]
  }
}
