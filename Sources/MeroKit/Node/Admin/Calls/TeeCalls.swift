extension AdminApi {
  /// The hardware the node runs on. Needs no token.
  public func getTeeInfo() async throws -> TeeInfoResponseData { try await get("tee/info") }

  /// Asks the node's hardware for evidence. Needs no token; the answer is not checked here.
  public func teeAttest(_ request: TeeAttestRequest) async throws -> TeeAttestResponseData {
    try await call(.post, "tee/attest", json(request))
  }

  /// The signed release the node says it runs. Needs no token.
  public func getTeeRelease() async throws -> TeeReleaseResponseData { try await get("tee/release") }

  /// Evidence for a fleet's manager, from a node that registers with it.
  public func teeRegistrationAttest(
    _ request: TeeRegistrationAttestRequest
  ) async throws -> TeeAttestResponseData {
    try await call(.post, "tee/registration-attest", json(request))
  }

  /// Has a node of a fleet join a namespace: for whoever runs the fleet. It waits for the network.
  public func fleetJoin(_ request: FleetJoinRequest) async throws -> FleetJoinResponse {
    try await call(.post, "tee/fleet-join", json(request), .flat, timeout: Self.joinTimeout)
  }

  /// Which TEEs a namespace admits.
  public func getTeeAdmissionPolicy(_ namespaceId: String) async throws -> GetTeeAdmissionPolicyResponseData {
    try await get("groups/\(namespaceId)/settings/tee-admission-policy", .either)
  }

  /// Sets which TEEs a namespace admits, and what they become. TEEs already in are converted.
  public func setTeeAdmissionPolicy(
    _ namespaceId: String, request: SetTeeAdmissionPolicyRequest
  ) async throws {
    try await run(.put, "groups/\(namespaceId)/settings/tee-admission-policy", json(request))
  }

  /// Sets which TEEs may author as the namespace's TEE authority. Needs the owner's root; it cannot be read back.
  public func setTeeAuthoringPolicy(
    _ namespaceId: String, request: SetTeeAuthoringPolicyRequest
  ) async throws {
    try await run(.put, "groups/\(namespaceId)/settings/tee-authoring-policy", json(request))
  }

  /// Ends the namespace's TEE authority. Needs the owner's root.
  public func disableTeeAuthoringPolicy(_ namespaceId: String, request: RootGuardedOpRequest?) async throws {
    // A body is looked at only for the proof.
    let body = try request?.rootProof == nil ? nil : json(request)
    try await run(.delete, "groups/\(namespaceId)/settings/tee-authoring-policy", body)
  }
}
