/// What a member of a group may do: a mask of bits (10 §8.3). Bits without a name here are kept and never used.
///
/// ```swift
/// let mask = Capabilities.withCap(member.capabilities, Capabilities.canInviteMembers)
/// ```
public enum Capabilities {
  /// Make contexts in the group.
  public static let canCreateContext: UInt32 = 1 << 0
  /// Invite members.
  public static let canInviteMembers: UInt32 = 1 << 1
  /// Join subgroups that are open.
  public static let canJoinOpenSubgroups: UInt32 = 1 << 2
  /// Add, change and remove members.
  public static let manageMembers: UInt32 = 1 << 3
  /// Change which application the group runs.
  public static let manageApplication: UInt32 = 1 << 4
  /// Make subgroups.
  public static let canCreateSubgroup: UInt32 = 1 << 5
  /// Delete subgroups.
  public static let canDeleteSubgroup: UInt32 = 1 << 6
  /// Change who sees a subgroup.
  public static let canManageVisibility: UInt32 = 1 << 7
  /// Change what groups and contexts are called.
  public static let canManageMetadata: UInt32 = 1 << 8
  /// Publish what another member wrote, under that member's warrant, as a relay does. Nothing implies it, not even being
  /// an admin.
  public static let canAuthorOnBehalf: UInt32 = 1 << 9

  /// Whether all bits of `cap` are set.
  public static func hasCap(_ mask: UInt32, _ cap: UInt32) -> Bool { mask & cap == cap }
  /// The mask with the bits of `cap`.
  public static func withCap(_ mask: UInt32, _ cap: UInt32) -> UInt32 { mask | cap }
  /// The mask without the bits of `cap`.
  public static func withoutCap(_ mask: UInt32, _ cap: UInt32) -> UInt32 { mask & ~cap }
}
