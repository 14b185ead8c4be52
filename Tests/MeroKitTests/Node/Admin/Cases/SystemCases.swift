import MeroKit

extension AdminCase {
  static let system: [AdminCase] = [
    .row(
      "GET /admin-api/health", answers: #"{"status":"alive","uptime":3}"#,
      gives: HealthStatus(status: "alive")
    ) { api, _ in try await api.healthCheck() },
    .row("GET /admin-api/ready", answers: #"{"status":"ready"}"#, gives: HealthStatus(status: "ready")) {
      api, _ in
      try await api.readinessCheck()
    },
    .row(
      "GET /admin-api/is-authed", answers: #"{"data":{"status":"alive"}}"#,
      gives: AdminAuthStatus(data: HealthStatus(status: "alive"))
    ) { api, _ in try await api.isAuthed() },
    .row("GET /admin-api/peers", answers: #"{"count":3}"#, gives: PeersCountResponseData(count: 3)) {
      api, _ in
      try await api.getPeersCount()
    },
    .row(
      "GET /admin-api/network/status",
      answers: #"""
        {"localPeerId":"p0","listenAddrs":["/ip4/127.0.0.1/tcp/2428"],"externalAddrs":[],
         "relays":[{"peerId":"p1","reservationStatus":"accepted","lastStateChange":"2026-10-01T00:00:00Z"}],
         "rendezvous":[{"peerId":"p2","registrationStatus":"moon","lastStateChange":null}],
         "directUpgrades":[{"peerId":"p3","status":"failed","reason":"no route","connectionId":null,
           "lastAttempt":"2026-10-01T00:00:00Z"}],
         "autonat":{"reachability":"private","lastTestAddr":null,"lastTestResult":"failed",
           "lastTestReason":"dial","lastTestObservedAddr":null,"lastTestAt":null}}
        """#,
      gives: NetworkStatusResponse(
        localPeerId: "p0", listenAddrs: ["/ip4/127.0.0.1/tcp/2428"], externalAddrs: [],
        relays: [
          RelayStatusEntry(
            peerId: "p1", reservationStatus: .accepted, lastStateChange: "2026-10-01T00:00:00Z")
        ],
        rendezvous: [RendezvousStatusEntry(peerId: "p2", registrationStatus: "moon")],
        directUpgrades: [
          DirectUpgradeStatusEntry(
            peerId: "p3", status: .failed, reason: "no route", lastAttempt: "2026-10-01T00:00:00Z")
        ],
        autonat: AutonatStatusEntry(reachability: .isPrivate, lastTestResult: .failed, lastTestReason: "dial")
      )
    ) { api, _ in try await api.getNetworkStatus() },
    .row(
      "GET /admin-api/usage",
      answers: #"""
        {"namespaces":[{"namespaceId":"n1","contextCount":2,"memberCount":3,"subgroupCount":4,
         "bytes":{"state":18446744073709551615,"privateState":1,"delta":2,"governance":3,"total":9007199254740993}}]}
        """#,
      gives: UsageResponse(namespaces: [
        NamespaceUsage(
          namespaceId: "n1", contextCount: 2, memberCount: 3, subgroupCount: 4,
          bytes: NamespaceBytes(
            state: .max, privateState: 1, delta: 2, governance: 3, total: 9_007_199_254_740_993))
      ])
    ) { api, _ in try await api.getUsage() },
  ]
}
