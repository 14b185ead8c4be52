import MeroKit

extension AdminCase {
  static let aliases: [AdminCase] = [
    .row(
      "POST /admin-api/alias/create/context",
      sends: .json { #"{"alias":"\#($0.alias)","contextId":"\#($0.context)"}"# }
    ) { api, ids in
      try await api.createContextAlias(CreateContextAliasRequest(alias: ids.alias, contextId: ids.context))
    },
    .row(
      "POST /admin-api/alias/lookup/context/{name}", sends: .emptyObject, answers: #"{"value":"c1"}"#,
      gives: LookupAliasResponseData(value: "c1")
    ) { api, ids in try await api.lookupContextAlias(ids.alias) },
    .row("POST /admin-api/alias/delete/context/{name}", sends: .emptyObject) { api, ids in
      try await api.deleteContextAlias(ids.alias)
    },
    .row("GET /admin-api/alias/list/context", answers: #"{"main":"c1"}"#, gives: ["main": "c1"]) { api, _ in
      try await api.listContextAliases()
    },
    .row(
      "POST /admin-api/alias/create/application",
      sends: .json { #"{"alias":"\#($0.alias)","applicationId":"\#($0.application)"}"# }
    ) { api, ids in
      try await api.createApplicationAlias(
        CreateApplicationAliasRequest(alias: ids.alias, applicationId: ids.application))
    },
    .row(
      "POST /admin-api/alias/lookup/application/{name}", sends: .emptyObject, answers: #"{"value":null}"#,
      gives: LookupAliasResponseData()
    ) { api, ids in try await api.lookupApplicationAlias(ids.alias) },
    .row("POST /admin-api/alias/delete/application/{name}", sends: .emptyObject) { api, ids in
      try await api.deleteApplicationAlias(ids.alias)
    },
    .row("GET /admin-api/alias/list/application", answers: #"{"main":"a1"}"#, gives: ["main": "a1"]) {
      api, _ in
      try await api.listApplicationAliases()
    },
    .row(
      "POST /admin-api/alias/create/device",
      sends: .json { #"{"alias":"\#($0.alias)","deviceId":"\#($0.device)"}"# }
    ) { api, ids in
      try await api.createDeviceAlias(CreateDeviceAliasRequest(alias: ids.alias, deviceId: ids.device))
    },
    .row(
      "POST /admin-api/alias/lookup/device/{name}", sends: .emptyObject, answers: #"{"value":"d1"}"#,
      gives: LookupAliasResponseData(value: "d1")
    ) { api, ids in try await api.lookupDeviceAlias(ids.alias) },
    .row("POST /admin-api/alias/delete/device/{name}", sends: .emptyObject) { api, ids in
      try await api.deleteDeviceAlias(ids.alias)
    },
    .row("GET /admin-api/alias/list/device", answers: "{}", gives: [String: String]()) { api, _ in
      try await api.listDeviceAliases()
    },
  ]
}
