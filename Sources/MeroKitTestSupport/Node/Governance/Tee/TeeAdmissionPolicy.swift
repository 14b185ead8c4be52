import MeroWire

/// Which attested nodes a namespace lets in, and as what (20 §6.11).
struct TeeAdmissionPolicy: Sendable, Hashable {
  struct SignedRelease: Sendable, Hashable {
    var allowedProfiles: [String]
    var minReleaseVersion: String?
  }

  /// `allowedMrtd`, then the four registers.
  static let lists = ["allowedMrtd", "allowedRtmr0", "allowedRtmr1", "allowedRtmr2", "allowedRtmr3"]

  var measurements: [String: [String]] = [:]
  var tcbStatuses: [String] = []
  var acceptMock = false
  var signedRelease: SignedRelease?
  var isRelay = false

  /// The role of whoever is admitted.
  var role: GroupRole { isRelay ? .relayTee : .readOnlyTee }

  static let fields = lists + ["allowedTcbStatuses", "acceptMock", "signedRelease", "mode"]

  init() {}

  init(_ fields: NodeFields) throws(NodeRefusal) {
    for list in Self.lists { measurements[list] = try fields.strings(list) ?? [] }
    tcbStatuses = try fields.strings("allowedTcbStatuses") ?? []
    acceptMock = try fields.optionalBool("acceptMock") ?? false
    switch try fields.optionalString("mode") {
    case nil, "replica": isRelay = false
    case "relay": isRelay = true
    case _?: throw Self.bad("mode", "must be replica or relay")
    }
    if let release = fields["signedRelease"] { signedRelease = try Self.release(release) }
    try check()
  }

  private static func release(_ json: JSONValue) throws(NodeRefusal) -> SignedRelease {
    guard let object = json.objectValue else { throw bad("signed_release", "must be an object") }
    guard object.keys.allSatisfy({ ["allowedProfiles", "minReleaseVersion"].contains($0) }) else {
      throw bad("signed_release", "has an unknown field")
    }
    let fields = NodeFields(object)
    guard let profiles = try fields.strings("allowedProfiles"), !profiles.isEmpty else {
      throw bad("allowed_profiles", "must not be empty")
    }
    return SignedRelease(
      allowedProfiles: profiles, minReleaseVersion: try fields.optionalString("minReleaseVersion"))
  }

  /// Lets in relays of signed releases: what a namespace begins with that was founded through an attested relay.
  static func hosting(acceptsMock: Bool) -> TeeAdmissionPolicy {
    var policy = TeeAdmissionPolicy()
    policy.signedRelease = SignedRelease(allowedProfiles: ["locked-read-only"])
    policy.isRelay = true
    policy.acceptMock = acceptsMock
    return policy
  }

  /// Either lists of measurements or signed releases, never both, never neither.
  private func check() throws(NodeRefusal) {
    let filled = Self.lists.filter { measurements[$0]?.isEmpty == false }
    if signedRelease != nil {
      guard let list = filled.first else { return }
      throw Self.bad(Self.snake(list), "must be empty beside signed_release")
    }
    for list in Self.lists where list != "allowedRtmr0" && !filled.contains(list) {
      throw Self.bad(Self.snake(list), "must not be empty")
    }
    for list in filled {
      let isHex = measurements[list]?.allSatisfy { (try? Hex.decode($0, count: 48)) != nil } ?? true
      guard isHex else { throw Self.bad(Self.snake(list), "must hold 96 hex characters each") }
    }
  }

  private static func bad(_ field: String, _ reason: String) -> NodeRefusal {
    NodeRefusal(400, "invalid TEE admission policy: \(field) \(reason)")
  }

  /// The refusals name fields as the node does inside.
  private static func snake(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
  }

  /// What the node answers; a namespace without a policy answers an empty one that is not enabled.
  static func json(_ policy: TeeAdmissionPolicy?) -> JSONValue {
    let shown = policy ?? TeeAdmissionPolicy()
    var object: JSONObject = ["enabled": .bool(policy != nil)]
    for list in lists { object[list] = .array((shown.measurements[list] ?? []).map { .string($0) }) }
    object["allowedTcbStatuses"] = .array(shown.tcbStatuses.map { .string($0) })
    object["acceptMock"] = .bool(shown.acceptMock)
    if let release = shown.signedRelease {
      var json: JSONObject = ["allowedProfiles": .array(release.allowedProfiles.map { .string($0) })]
      json["minReleaseVersion"] = release.minReleaseVersion.map { .string($0) }
      object["signedRelease"] = .object(json)
    }
    object["mode"] = .string(shown.isRelay ? "relay" : "replica")
    return .object(object)
  }
}
