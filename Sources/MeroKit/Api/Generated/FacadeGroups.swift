// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension CalimeroClient {
  /// The operations of the group `auth`.
  public nonisolated var auth: AuthApi { AuthApi(caller: core) }

  /// The operations of the group `apps`.
  public nonisolated var apps: AppsApi { AppsApi(caller: core) }

  /// The operations of the group `orgs`.
  public nonisolated var orgs: OrgsApi { OrgsApi(caller: core) }

  /// The operations of the group `consent`.
  public nonisolated var consent: ConsentApi { ConsentApi(caller: core) }

  /// The operations of the group `ops`.
  public nonisolated var ops: OpsApi { OpsApi(caller: core) }

  /// The operations of the group `packages`.
  public nonisolated var packages: PackagesApi { PackagesApi(caller: core) }

  /// The operations of the group `deployments`.
  public nonisolated var deployments: DeploymentsApi { DeploymentsApi(caller: core) }

  /// The operations of the group `public`.
  public nonisolated var publicApi: PublicApi { PublicApi(caller: core) }
}
