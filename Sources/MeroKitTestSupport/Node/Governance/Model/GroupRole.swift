/// What a member is in a group (20 §3.1).
enum GroupRole: String, Sendable, CaseIterable {
  case admin = "Admin"
  case member = "Member"
  case readOnly = "ReadOnly"
  /// An attested replica. Attestation gives this role, never a hand.
  case readOnlyTee = "ReadOnlyTee"
  /// An attested relay.
  case relayTee = "RelayTee"

  /// As invitations and ops write it.
  var number: UInt8 {
    switch self {
    case .admin: 0
    case .member: 1
    case .readOnly: 2
    case .readOnlyTee: 3
    case .relayTee: 4
    }
  }

  init?(number: UInt8) {
    guard let role = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = role
  }

  var isTee: Bool { self == .readOnlyTee || self == .relayTee }
  var mayWrite: Bool { self == .admin || self == .member }
}

/// What a member who is no admin may do (20 §3.2).
struct GroupCapabilities: OptionSet, Sendable, Hashable {
  let rawValue: UInt32

  static let createContext = Self(rawValue: 1 << 0)
  static let inviteMembers = Self(rawValue: 1 << 1)
  static let joinOpenSubgroups = Self(rawValue: 1 << 2)
  static let manageMembers = Self(rawValue: 1 << 3)
  static let manageApplication = Self(rawValue: 1 << 4)
  static let createSubgroup = Self(rawValue: 1 << 5)
  static let deleteSubgroup = Self(rawValue: 1 << 6)
  static let manageVisibility = Self(rawValue: 1 << 7)
  static let manageMetadata = Self(rawValue: 1 << 8)
  /// Run members' warrants. Implied by nothing, not even by being an admin.
  static let authorOnBehalf = Self(rawValue: 1 << 9)

  static let defined = Self(rawValue: 1023)
  /// What an admin holds without a word.
  static let ofAdmins = defined.subtracting(.authorOnBehalf)
  /// What a group made on a node gives those who are added.
  static let standard = Self.joinOpenSubgroups
}
