import MeroKit
import MeroWire

extension AdminCase {
  private static let contextText = #"""
    {"id":"c1","applicationId":"a1","serviceName":"main","contextStateHash":"00","dagHeads":[[1,255]],
     "applicationVersion":"1.2.3","name":"Notes"}
    """#
  private static let listedText = #"""
    {"contexts":[{"id":"c1","applicationId":"a1","serviceName":"main","contextStateHash":"00","dagHeads":[[1,255]],
     "applicationVersion":"1.2.3","name":"Notes","groupId":"g1"},
     {"id":"c2","applicationId":"a1","contextStateHash":"01"}]}
    """#
  private static let listed = GetContextsResponseData(contexts: [
    ContextWithGroup(
      id: "c1", applicationId: "a1", serviceName: "main", contextStateHash: "00", dagHeads: [[1, 255]],
      applicationVersion: "1.2.3", name: "Notes", groupId: "g1"),
    ContextWithGroup(id: "c2", applicationId: "a1", contextStateHash: "01"),
  ])

  static let contexts: [AdminCase] = [
    .row(
      "GET /admin-api/contexts", query: { _ in [("offset", "5"), ("limit", "10")] }, answers: listedText,
      gives: listed
    ) { api, _ in try await api.getContexts(offset: 5, limit: 10) },
    .row(
      "POST /admin-api/contexts",
      sends: .json {
        #"""
        {"applicationId":"\#($0.application)","groupId":"\#($0.group)","serviceName":"a b",
         "contextSeed":"\#(Ids.id(1))","initializationParams":[123,125],"identitySecret":"\#(Ids.id(2))",
         "name":"Notes"}
        """#
      },
      answers: #"{"contextId":"c1","memberPublicKey":"k1","groupId":"g1","groupCreated":true}"#,
      gives: CreateContextResponseData(
        contextId: "c1", memberPublicKey: "k1", groupId: "g1", groupCreated: true)
    ) { api, ids in
      try await api.createContext(
        CreateContextRequest(
          applicationId: ids.application, groupId: ids.group, serviceName: ids.service,
          contextSeed: Ids.id(1),
          initializationParams: Array("{}".utf8), identitySecret: Ids.id(2), name: "Notes"))
    },
    .row(
      "GET /admin-api/contexts/{context_id}", answers: contextText,
      gives: Context(
        id: "c1", applicationId: "a1", serviceName: "main", contextStateHash: "00", dagHeads: [[1, 255]],
        applicationVersion: "1.2.3", name: "Notes")
    ) { api, ids in try await api.getContext(ids.context) },
    .row(
      "DELETE /admin-api/contexts/{context_id}", answers: #"{"isDeleted":false}"#,
      gives: DeleteContextResponseData(isDeleted: false)
    ) { api, ids in try await api.deleteContext(ids.context) },
    .row(
      "POST /admin-api/contexts/{context_id}/application",
      sends: .json { #"{"applicationId":"\#($0.application)","executorPublicKey":"\#($0.key)"}"# }
    ) { api, ids in
      try await api.updateContextApplication(
        ids.context,
        request: UpdateContextApplicationRequest(
          applicationId: ids.application, executorPublicKey: ids.key))
    },
    .row(
      "GET /admin-api/contexts/for-application/{application_id}", answers: listedText, gives: listed
    ) { api, ids in try await api.getContextsForApplication(ids.application) },
    .row(
      "GET /admin-api/contexts/with-executors/for-application/{application_id}",
      answers:
        #"{"contexts":[{"id":"c1","application_id":"a1","contextStateHash":"00","executors":["k1","k2"]}]}"#,
      gives: [
        ContextWithExecutors(
          contextId: "c1", applicationId: "a1", contextStateHash: "00", executors: ["k1", "k2"])
      ]
    ) { api, ids in try await api.getContextsWithExecutorsForApplication(ids.application) },
    .row(
      "GET /admin-api/contexts/{context_id}/storage", answers: #"{"sizeInBytes":18446744073709551615}"#,
      gives: ContextStorageResponseData(sizeInBytes: .max)
    ) { api, ids in try await api.getContextStorage(ids.context) },
    .row(
      "GET /admin-api/contexts/{context_id}/identities",
      answers: #"{"identities":["k1"],"identitiesOf":"members"}"#,
      gives: GetContextIdentitiesResponseData(identities: ["k1"], identitiesOf: .members)
    ) { api, ids in try await api.getContextIdentities(ids.context) },
    .row(
      "GET /admin-api/contexts/{context_id}/identities-owned", answers: #"{"identities":[]}"#,
      gives: GetContextIdentitiesResponseData(identities: [])
    ) { api, ids in try await api.getContextIdentitiesOwned(ids.context) },
    .row("GET /admin-api/contexts/{context_id}/group", answers: #""g1""#, gives: "g1" as String?) {
      api, ids in
      try await api.getContextGroup(ids.context)
    },
    .row(
      "POST /admin-api/contexts/{context_id}/join", sends: .emptyObject,
      answers: #"{"contextId":"c1","memberPublicKey":"k1"}"#,
      gives: JoinContextResponseData(contextId: "c1", memberPublicKey: "k1")
    ) { api, ids in try await api.joinContext(ids.context) },
    .row(
      "POST /admin-api/contexts/{context_id}/leave", sends: .emptyObject,
      answers: #"{"contextId":"c1","memberPublicKey":"k1"}"#
    ) { api, ids in try await api.leaveContext(ids.context) },
    .row(
      "POST /admin-api/contexts/{context_id}/resync", sends: .json { _ in #"{"force":true}"# },
      answers: #"{"contextId":"c1","resyncStarted":true}"#,
      gives: ResyncContextResponseData(contextId: "c1", resyncStarted: true)
    ) { api, ids in try await api.resyncContext(ids.context, request: ResyncContextRequest(force: true)) },
    .row("POST /admin-api/contexts/sync", sends: .emptyObject) { api, _ in try await api.syncContext() },
    .row("POST /admin-api/contexts/sync/{context_id}", sends: .emptyObject) { api, ids in
      try await api.syncContext(ids.context)
    },
    .row(
      "POST /admin-api/contexts/{context_id}/query",
      sends: .json { _ in #"{"method":"get","argsJson":{"n":12345678901234567890,"d":1.10}}"# },
      answers: #"{"returns":{"n":12345678901234567890}}"#,
      gives: QueryContextResponseData(returns: try? json(#"{"n":12345678901234567890}"#))
    ) { api, ids in
      try await api.queryContext(
        ids.context,
        request: QueryContextRequest(method: "get", argsJson: json(#"{"n":12345678901234567890,"d":1.10}"#)))
    },
    .row(
      "POST /admin-api/identity/context", sends: .emptyObject, answers: #"{"publicKey":"k1"}"#,
      gives: GenerateContextIdentityResponseData(publicKey: "k1")
    ) { api, _ in try await api.generateContextIdentity() },
  ]
}
