/// The cases of a group that this build knows: each has to be there once, under its name, and to be about the section of
/// the specification that it says.
struct NodeCases: Sendable {
  private let sections: [String: String]

  /// Names by their section.
  init(_ names: KeyValuePairs<String, [String]>) {
    sections = Dictionary(uniqueKeysWithValues: names.flatMap { pair in pair.value.map { ($0, pair.key) } })
  }

  /// Runs `body` for each case of a group, which has to read all of it.
  func check(
    _ group: String, in file: VectorObject, _ run: inout ConformanceRun,
    _ body: (_ name: String, VectorObject) async throws -> Void
  ) async {
    let objects: [VectorObject]
    do { objects = try file.objects(group) } catch {
      await run.check(group) { throw error }
      return
    }
    var missing = sections
    for object in objects {
      let name = (try? object.text("id")) ?? object.path
      let section = missing.removeValue(forKey: name)
      await run.check("\(group) \(name)") {
        object.prose("note")
        guard let section else { throw Mismatch("this build does not know the case, or it is there twice") }
        try require("the section", try object.text("spec"), is: section)
        try await body(name, object)
        try object.finish()
      }
    }
    await run.check("\(group): every case is there") {
      try require(missing.isEmpty, "\(missing.keys.sorted().joined(separator: ", ")) missing")
    }
  }
}

/// Names that occur all over the file.
enum VectorName {
  /// Beyond `Int64`, and so a text everywhere.
  static let session = "17293822569102704642"
  static let context = "HXDhUtm7k19CrDwcBvo3VCE6mE1yL6o46EF5uZPCxtBh"
  static let author = "DZXxmuJ9QoBRsVuz448VeevKYApGdeuv4fE56EXSwHeN"
  static let otherAuthor = "5xkFHb2JahiodY9L95EQvWpqBfTR6QWhU3NnybZ5P2Yw"
}
