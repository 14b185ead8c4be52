import MeroKit

extension FacadeCall {
  static var publicApi: [FacadeCall] {
    [
      FacadeCall("public_health") { _ = try await $0.publicApi.health(options: options) },
      FacadeCall("public_attest") {
        _ = try await $0.publicApi.attest(
          nonce: "nonce", bindTransportKey: true, bindCluster: true, includeCollateral: true, options: options
        )
      },
      FacadeCall("public_info") { _ = try await $0.publicApi.info(options: options) },
      FacadeCall("public_node_list") { _ = try await $0.publicApi.nodeList(options: options) },
      FacadeCall("public_invite_preview") {
        _ = try await $0.publicApi.invitePreview(code: "code", options: options)
      },
    ]
  }
}
