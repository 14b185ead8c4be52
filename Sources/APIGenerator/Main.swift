import Foundation

/// Writes the Swift that stands for an OpenAPI document: `APIGenerator <document> <output folder>`.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let document = arguments.first, let output = arguments.last else {
      fail("usage: APIGenerator <document> <output folder>")
    }
    do {
      let files = try Generator.files(for: Data(contentsOf: URL(fileURLWithPath: document)))
      for file in files {
        let url = URL(fileURLWithPath: output).appendingPathComponent(file.path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: url)
      }
      print("\(files.count) files")
    } catch {
      fail("\(document): \(error)")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
  }
}
