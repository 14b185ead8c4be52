// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

/// What the operations share.
public enum Components {
  /// The values that go over the wire.
  public enum Schemas {}

  /// The refusals that operations share.
  public enum Responses {}

  /// The scopes of API keys and consented sessions.
  public enum Scopes {
    /// Everything the account may do; what a passkey session holds. No API key can have it.
    public static let all: String = "all"
    /// List and see apps, packages and interfaces.
    public static let appsRead: String = "apps:read"
    /// Call methods.
    public static let appsCall: String = "apps:call"
    /// Call views and search.
    public static let appsView: String = "apps:view"
    /// Events and presence.
    public static let appsEvents: String = "apps:events"
    /// Create and change apps and their members.
    public static let appsManage: String = "apps:manage"
    /// Read files.
    public static let storageRead: String = "storage:read"
    /// Put and delete files.
    public static let storageWrite: String = "storage:write"
    /// Start, see and stop jobs.
    public static let jobsRun: String = "jobs:run"
    /// Set and remove timers.
    public static let timersManage: String = "timers:manage"
    /// See organizations, members and teams.
    public static let orgsRead: String = "orgs:read"
    /// Change organizations, teams and invitations where no confirmation is needed.
    public static let orgsManage: String = "orgs:manage"
    /// Publish versions.
    public static let packagesPublish: String = "packages:publish"
    /// See deployments and applications.
    public static let deploymentsManage: String = "deployments:manage"
    /// Read the Ops API.
    public static let opsRead: String = "ops:read"
    /// Use the Ops API; operator signatures are needed all the same.
    public static let opsWrite: String = "ops:write"
  }

  /// The kinds of events the cluster itself sends.
  public enum EventKinds {
    /// The stream stands; its cursor is the beginning. data is an object with seq.
    public static let ready: String = "calimero.ready"
    /// Events were lost between the cursor asked with and this one. data is an object with oldest and latest
    /// cursors.
    public static let reset: String = "calimero.reset"
    /// Comes once after calimero.ready when presence was asked for. data is a PresenceList: everyone present,
    /// the caller included. It replaces whatever was known.
    public static let presenceAll: String = "calimero.presence.all"
    /// A presence entry changed. data is a PresenceEntry with ageMs 0; removed is true, and state null, when
    /// it went. Presence never moves the cursor.
    public static let presence: String = "calimero.presence"
    /// The app's members changed. data is an object with principal, role and removed.
    public static let members: String = "calimero.members"
    /// The app runs another version. data is an object with from and to.
    public static let upgraded: String = "calimero.upgraded"
    /// The app's state changed. data is an object with state.
    public static let state: String = "calimero.state"
    /// A job's state changed. data is a Job.
    public static let job: String = "calimero.job"
    /// The app is gone; the stream ends after it.
    public static let deleted: String = "calimero.deleted"
  }
}
