import MeroKit

extension AdminCase {
  private static let application = Application(
    id: "a1", blob: ApplicationBlob(bytecode: "b1", compiled: "c1"), size: 9_007_199_254_740_993,
    source: "registry",
    metadata: [123, 125], signerId: "did:key:z6Mk", package: "com.example.notes", version: "1.2.3",
    services: ["main": ApplicationBlob(bytecode: "b2", compiled: "c2")])
  private static let applicationText = #"""
    {"id":"a1","blob":{"bytecode":"b1","compiled":"c1"},"size":9007199254740993,"source":"registry",
     "metadata":[123,125],"signer_id":"did:key:z6Mk","package":"com.example.notes","version":"1.2.3",
     "services":{"main":{"bytecode":"b2","compiled":"c2"}},"later":true}
    """#

  static let applications: [AdminCase] = [
    .row(
      "POST /admin-api/install-application",
      sends: .json { #"{"package":"\#($0.package)","version":"\#($0.version)"}"# },
      answers: #"{"applicationId":"a1"}"#, gives: InstallApplicationResponseData(applicationId: "a1")
    ) { api, ids in
      try await api.installApplication(InstallApplicationRequest(package: ids.package, version: ids.version))
    },
    .row(
      "POST /admin-api/install-dev-application", sends: .json { _ in #"{"path":"/srv/notes.mpk"}"# },
      answers: #"{"applicationId":"a1"}"#, gives: InstallApplicationResponseData(applicationId: "a1")
    ) { api, _ in try await api.installDevApplication(InstallDevApplicationRequest(path: "/srv/notes.mpk")) },
    .row(
      "GET /admin-api/applications",
      answers: #"""
        {"apps":[\#(applicationText),{"id":"a2","blob":{"bytecode":"b3","compiled":"c3"},"size":0,"source":"peer",
         "metadata":[]}]}
        """#,
      gives: ListApplicationsResponseData(apps: [
        application,
        Application(
          id: "a2", blob: ApplicationBlob(bytecode: "b3", compiled: "c3"), size: 0, source: "peer"),
      ])
    ) { api, _ in try await api.listApplications() },
    .row(
      "GET /admin-api/applications/{application_id}", answers: #"{"application":\#(applicationText)}"#,
      gives: GetApplicationResponseData(application: application)
    ) { api, ids in try await api.getApplication(ids.application) },
    .row(
      "DELETE /admin-api/applications/{application_id}", answers: #"{"applicationId":"a1"}"#,
      gives: UninstallApplicationResponseData(applicationId: "a1")
    ) { api, ids in try await api.uninstallApplication(ids.application) },
    .row(
      "GET /admin-api/applications/{application_id}/versions",
      answers: #"[{"version":"1.2.3","blobId":"b1","size":5,"package":"com.example.notes"}]"#,
      gives: [ApplicationVersionEntry(version: "1.2.3", blobId: "b1", size: 5, package: "com.example.notes")]
    ) { api, ids in try await api.listApplicationVersions(ids.application) },
    .row(
      "GET /admin-api/applications/{application_id}/abi", query: { [("service_name", $0.service ?? "")] },
      answers: #"{"schema":"wasm-abi/1","version":18446744073709551616}"#,
      gives: try? json(#"{"schema":"wasm-abi/1","version":18446744073709551616}"#).objectValue
    ) { api, ids in try await api.getApplicationAbi(ids.application, serviceName: ids.service) },
    .row(
      "GET /admin-api/packages", answers: #"{"packages":["com.example.notes"]}"#,
      gives: ListPackagesResponseData(packages: ["com.example.notes"])
    ) { api, _ in try await api.listPackages() },
    .row(
      "GET /admin-api/packages/{package}/versions", answers: #"{"versions":["1.0.0","1.2.3"]}"#,
      gives: ListVersionsResponseData(versions: ["1.0.0", "1.2.3"])
    ) { api, ids in try await api.listPackageVersions(ids.package) },
    .row(
      "GET /admin-api/packages/{package}/latest", answers: #"{"applicationId":"a1","version":null}"#,
      gives: GetLatestVersionResponseData(applicationId: "a1")
    ) { api, ids in try await api.getLatestPackageVersion(ids.package) },
  ]
}
