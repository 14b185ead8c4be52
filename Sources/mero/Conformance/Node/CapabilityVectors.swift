import MeroKit
import MeroWire

extension NodeGroup {
  /// The bits of what a member may do.
  static let capabilities = NodeGroup(name: "capabilities") { file, run in
    await run.check("capabilities") {
      let object = try file.object("capabilities")
      try require("the section", try object.text("spec"), is: "8")
      let bits = try object.object("bits")
      for (name, bit) in names { try require("the bit \(name)", Int(bit), is: try bits.number(name)) }
      try bits.finish()
      var mask: UInt32 = 0
      for name in try object.texts("mask231") {
        guard let bit = names.first(where: { $0.0 == name })?.1 else { throw Mismatch("there is no \(name)") }
        try require(!Capabilities.hasCap(mask, bit), "\(name) is there twice")
        mask = Capabilities.withCap(mask, bit)
        try require(Capabilities.hasCap(mask, bit), "\(name) is not in the mask")
      }
      try require("the mask", mask, is: 231)
      for (name, bit) in names {
        let less = Capabilities.withoutCap(mask, bit)
        try require(!Capabilities.hasCap(less, bit), "\(name) is still in the mask")
      }
      try object.finish()
    }
  }

  private static let names = [
    ("canCreateContext", Capabilities.canCreateContext),
    ("canInviteMembers", Capabilities.canInviteMembers),
    ("canJoinOpenSubgroups", Capabilities.canJoinOpenSubgroups),
    ("manageMembers", Capabilities.manageMembers), ("manageApplication", Capabilities.manageApplication),
    ("canCreateSubgroup", Capabilities.canCreateSubgroup),
    ("canDeleteSubgroup", Capabilities.canDeleteSubgroup),
    ("canManageVisibility", Capabilities.canManageVisibility),
    ("canManageMetadata", Capabilities.canManageMetadata),
    ("canAuthorOnBehalf", Capabilities.canAuthorOnBehalf),
  ]
}
