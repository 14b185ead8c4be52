import MeroWire

/// What a relay says about writing in a context: whom a warrant has to name, and whether it would be run (40 §10.1). A text
/// that the relay leaves out is empty here.
public struct IntentDescription: Sendable, Hashable {
  /// The relay's account, 64 hex.
  public let executorAccount: String
  /// The relay's key, 64 hex.
  public let executorKey: String
  /// Whether the relay may write for members here. False is how every context begins: an admin of ``groupId`` has to give
  /// ``executorAccount`` the right.
  public let canAuthorOnBehalf: Bool
  /// The context's group, 64 hex.
  public let groupId: String
  /// The group that gives the relay its right; nil when none does.
  public let grantedOnGroupId: String?
  /// The release the relay runs there, 64 hex.
  public let releaseBytecodeId: String
  /// That release's version.
  public let releaseVersion: String

  init(_ data: JSONValue) {
    executorAccount = data.text("executorAccount")
    executorKey = data.text("executorKey")
    canAuthorOnBehalf = data["canAuthorOnBehalf"]?.boolValue ?? false
    groupId = data.text("groupId")
    grantedOnGroupId = data["grantedOnGroupId"]?.stringValue
    releaseBytecodeId = data.text("releaseBytecodeId")
    releaseVersion = data.text("releaseVersion")
  }
}

/// What a relay says about making a context in a group.
public struct CreationDescription: Sendable, Hashable {
  /// The relay's account, 64 hex.
  public let executorAccount: String
  /// The relay's key, 64 hex.
  public let executorKey: String
  /// The group, 64 hex.
  public let groupId: String
  /// Whether the relay may make contexts for members here.
  public let canCreateOnBehalf: Bool
  /// Whether the author that was asked about may make one; nil when the relay does not say.
  public let authorMayCreate: Bool?

  init(_ data: JSONValue) {
    executorAccount = data.text("executorAccount")
    executorKey = data.text("executorKey")
    groupId = data.text("groupId")
    canCreateOnBehalf = data["canCreateOnBehalf"]?.boolValue ?? false
    authorMayCreate = data["authorMayCreate"]?.boolValue
  }
}

/// What a relay says about governing a group.
public struct GovernanceDescription: Sendable, Hashable {
  /// The relay's account, 64 hex.
  public let executorAccount: String
  /// The relay's key, 64 hex.
  public let executorKey: String
  /// The group, 64 hex.
  public let groupId: String
  /// Whether the relay may publish members' ops here.
  public let canActOnBehalf: Bool

  init(_ data: JSONValue) {
    executorAccount = data.text("executorAccount")
    executorKey = data.text("executorKey")
    groupId = data.text("groupId")
    canActOnBehalf = data["canActOnBehalf"]?.boolValue ?? false
  }
}

extension JSONValue {
  fileprivate func text(_ name: String) -> String { self[name]?.stringValue ?? "" }
}
