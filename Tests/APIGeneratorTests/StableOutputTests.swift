import APIGenerator
import Foundation
import Testing

@Suite("The generator's output")
struct StableOutputTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func document() throws -> Data {
    try Data(contentsOf: Self.root.appendingPathComponent("openapi/openapi.json"))
  }

  @Test("70 §2.27 #25: the same document gives the same bytes")
  func stable() throws {
    let data = try document()
    #expect(try Generator.files(for: data) == Generator.files(for: data))
  }

  @Test("70 §2.27 #25: what is checked in is what the document makes, and nothing besides")
  func checkedIn() throws {
    let files = try Generator.files(for: document())
    for file in files {
      let url = Self.root.appendingPathComponent(file.path)
      let checkedIn: Data? = try? Data(contentsOf: url)
      #expect(checkedIn == Data(file.text.utf8), "\(file.path): run scripts/generate-openapi.sh generate")
    }
    let written = Set(files.map(\.path))
    #expect(written.count == files.count)
    for folder in ["MeroAPI/Generated", "MeroKit/Api/Generated", "MeroKitTestSupport/Generated"] {
      let path = "Sources/" + folder
      let names = try FileManager.default.subpathsOfDirectory(
        atPath: Self.root.appendingPathComponent(path).path)
      for name in names where name.hasSuffix(".swift") {
        #expect(written.contains("\(path)/\(name)"), "\(path)/\(name) is not generated any more")
      }
    }
  }

  @Test("no line is too long and none ends in a space, so that the formatter finds nothing to change")
  func layout() throws {
    for file in try Generator.files(for: document()) where !file.path.hasSuffix("OpenAPIDocument.swift") {
      #expect(file.text.hasSuffix("}\n"), "\(file.path)")
      for line in file.text.split(separator: "\n", omittingEmptySubsequences: false) {
        #expect(line.count <= 110 && line.last != " ", "\(file.path): \(line)")
      }
    }
  }

  @Test("two files of one module never have the same name")
  func names() throws {
    let names = try Generator.files(for: document()).filter { $0.path.hasPrefix("Sources/MeroAPI/") }
      .map { URL(fileURLWithPath: $0.path).lastPathComponent }
    #expect(Set(names).count == names.count)
  }
}
