// A node answers a listing in parts: 100 entries when nothing is said, and at most 1000. These walk all of them.
extension AdminSurface {
  /// Every context the caller may see.
  public func allContexts() async throws -> [ContextWithGroup] {
    try await Listing.all(\.id) { try await getContexts(offset: $0, limit: $1).contexts }
  }

  /// Every namespace the caller may see.
  public func allNamespaces() async throws -> [Namespace] {
    try await Listing.all(\.namespaceId) { try await listNamespaces(offset: $0, limit: $1) }
  }

  /// Every namespace of an application that the caller may see.
  public func allNamespacesForApplication(_ applicationId: String) async throws -> [Namespace] {
    try await Listing.all(\.namespaceId) {
      try await listNamespacesForApplication(applicationId, offset: $0, limit: $1)
    }
  }

  /// Every member of a group, inherited ones included.
  public func allGroupMembers(_ groupId: String) async throws -> [GroupMember] {
    try await Listing.all(\.identity) { try await listGroupMembers(groupId, offset: $0, limit: $1).members }
  }

  /// Every context of a group.
  public func allGroupContexts(_ groupId: String) async throws -> [GroupContextEntry] {
    try await Listing.all(\.contextId) { try await listGroupContexts(groupId, offset: $0, limit: $1) }
  }

  /// Every member of a group with its devices, as far as the caller may see them.
  public func allGroupMemberDevices(_ groupId: String) async throws -> [MemberDevicesEntry] {
    try await Listing.all(\.account) { try await listGroupMemberDevices(groupId, offset: $0, limit: $1) }
  }
}

/// A listing that is answered in parts.
package enum Listing {
  /// The most a node answers at once.
  package static let pageSize = 1000

  /// The most that is read of one listing. Who lists more has no end in mind, and memory has one.
  package static let most = 50_000

  /// Reads parts until one is short, which is the last (20 §1.6).
  ///
  /// Throws ``MeroError/decoding(_:)`` when there are more than ``most`` entries.
  ///
  /// A part without anything new is the last one too: a node that knows no offsets, or has come to the largest it takes,
  /// would answer the same part for ever.
  package static func all<Entry>(
    _ id: (Entry) -> String, page: (_ offset: Int, _ limit: Int) async throws -> [Entry]
  ) async throws -> [Entry] {
    var entries: [Entry] = []
    var seen: Set<String> = []
    var offset = 0
    while true {
      let part = try await page(offset, pageSize)
      let known = seen.count
      // An entry may move into the next part while the listing is walked.
      entries += part.filter { seen.insert(id($0)).inserted }
      guard part.count >= pageSize, seen.count > known else { return entries }
      guard entries.count <= most else {
        throw MeroError.decoding("a listing goes on after \(entries.count) entries")
      }
      offset += part.count
    }
  }
}
