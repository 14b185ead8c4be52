import Foundation
import MeroKit
import MeroWire

/// Ops of governance and their warrants (30 §6.4, §9).
enum GovernanceVectors {
  static let checks: [String: @Sendable (AccountCase) throws -> Void] = [
    "governanceOp": governanceOp,
    "governanceOpRefused": { test in
      let name = try test.input.text("op")
      let arguments = try test.input.object("args")
      try requireRefused(test) { _ = try op(name, arguments) }
      try arguments.finish()
    },
    "governanceWarrant": governanceWarrant,
  ]

  private static let governanceOp: @Sendable (AccountCase) throws -> Void = { test in
    let name = try test.input.text("op")
    let arguments = try test.input.object("args")
    let op = try op(name, arguments)
    switch name {
    case "groupCreated":
      let id = try GovernanceOps.subgroupId(
        admin: try arguments.text("admin"), parentId: try arguments.text("parentId"),
        restricted: try arguments.flag("restricted"), salt: try arguments.text("salt"))
      try test.require("groupId", id)
    case "namespaceCreated":
      let id = try GovernanceOps.namespaceId(
        founder: try arguments.text("founder"), salt: try arguments.text("salt"))
      try test.require("namespaceId", id)
    default: break
    }
    try test.require("kind", op.kind == .group ? "group" : "root")
    try test.require("bytes", op.bytes)
    try test.require("opHash", Warrants.governanceOpHash(op))
    try arguments.finish()
  }

  private static func data(_ arguments: VectorObject) throws -> [String: String] {
    guard arguments.has("data") else { return [:] }
    let object = try arguments.object("data")
    var data: [String: String] = [:]
    for key in object.keys { data[key] = try object.text(key) }
    return data
  }

  private static func op(_ name: String, _ arguments: VectorObject) throws -> Warrants.GovernanceOp {
    func text(_ key: String) throws -> String { try arguments.text(key) }
    switch name {
    case "memberAdded":
      return try GovernanceOps.memberAdded(
        member: try text("member"), role: MemberRole(rawValue: try text("role")))
    case "memberRemoved": return try GovernanceOps.memberRemoved(member: try text("member"))
    case "memberLeft": return try GovernanceOps.memberLeft(member: try text("member"))
    case "memberRoleSet":
      return try GovernanceOps.memberRoleSet(
        member: try text("member"), role: MemberRole(rawValue: try text("role")))
    case "memberCapabilitySet":
      return try GovernanceOps.memberCapabilitySet(
        member: try text("member"), capabilities: try arguments.small("capabilities"))
    case "defaultCapabilitiesSet":
      return try GovernanceOps.defaultCapabilitiesSet(capabilities: try arguments.small("capabilities"))
    case "targetApplicationSet":
      return try GovernanceOps.targetApplicationSet(
        applicationId: try text("applicationId"), package: try text("package"), version: try text("version"))
    case "contextDetached": return try GovernanceOps.contextDetached(contextId: try text("contextId"))
    case "subgroupVisibilitySet":
      return try GovernanceOps.subgroupVisibilitySet(GroupVisibility(rawValue: try text("mode")))
    case "groupMetadataSet":
      return try GovernanceOps.groupMetadataSet(
        name: try arguments.optionalText("name"), data: try data(arguments))
    case "memberMetadataSet":
      return try GovernanceOps.memberMetadataSet(
        member: try text("member"), name: try arguments.optionalText("name"), data: try data(arguments))
    case "contextMetadataSet":
      return try GovernanceOps.contextMetadataSet(
        contextId: try text("contextId"), name: try arguments.optionalText("name"), data: try data(arguments))
    case "contextCapabilityGranted":
      return try GovernanceOps.contextCapabilityGranted(
        contextId: try text("contextId"), member: try text("member"),
        capability: try arguments.small("capability"))
    case "contextCapabilityRevoked":
      return try GovernanceOps.contextCapabilityRevoked(
        contextId: try text("contextId"), member: try text("member"),
        capability: try arguments.small("capability"))
    case "groupCreated":
      return try GovernanceOps.subgroupCreation(
        parentId: try text("parentId"), restricted: try arguments.flag("restricted"),
        admin: try text("admin"), salt: Data(try arguments.bytes("salt", count: 32))
      ).op
    case "groupReparented":
      return try GovernanceOps.groupReparented(
        childGroupId: try text("childGroupId"), newParentId: try text("newParentId"))
    case "groupDeleted": return try GovernanceOps.groupDeleted(rootGroupId: try text("rootGroupId"))
    case "memberJoinedOpen":
      return try GovernanceOps.memberJoinedOpen(
        member: try text("member"), groupId: try text("groupId"), credential: try text("credential"))
    case "namespaceCreated":
      return try GovernanceOps.namespaceCreated(
        founder: try text("founder"), credential: try text("credential"), salt: try text("salt"))
    default: throw Mismatch("nobody knows the op \(name)")
    }
  }

  private static let governanceWarrant: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let plane: Warrants.Plane
    switch try input.text("kind") {
    case "group": plane = .group
    case "root": plane = .root
    case let kind: throw Mismatch("nobody knows the kind \(kind)")
    }
    let op = Warrants.GovernanceOp(kind: plane, bytes: Data(try input.bytes("op")))
    let governance = Warrants.Governance(
      scope: try input.text("scope"), op: op, terms: try WarrantVectors.terms(input))
    let keys = try test.keys()
    try test.require("opHash", Warrants.governanceOpHash(op))
    try WarrantVectors.require(
      try Warrants.signGovernanceWarrant(governance, keys: keys),
      preimage: try Warrants.governancePreimage(governance, keys: keys), keys: keys, test)
  }
}
