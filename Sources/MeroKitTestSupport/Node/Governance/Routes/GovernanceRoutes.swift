extension Governance {
  /// Everything this folder answers.
  static let rows: [NodeRoute] =
    NamespaceRoutes.rows + GroupRoutes.rows + MemberRoutes.rows + MetadataRoutes.rows + InvitationRoutes.rows
    + UpgradeRoutes.rows + AliasRoutes.rows + IdentityRoutes.rows + AccountRoutes.rows + PairingRoutes.rows
    + OwnershipClaim.rows + TeeRoutes.rows + IntentRoutes.rows
}
