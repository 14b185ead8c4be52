import Foundation
import MeroWire

/// A file the generator wrote, at a path below the package's root.
package struct GeneratedFile: Hashable, Sendable {
  package let path: String
  package let text: String
}

/// A document the generator does not understand: where, and why.
package struct GeneratorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The way to the place in the document: `paths./orgs.get.parameters[0]`.
  package let place: String
  package let reason: String

  package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}

/// Turns a document into Swift. What comes out depends on the document alone.
package enum Generator {
  /// Every file that stands for the document, in the order of their paths.
  package static func files(for data: Data) throws(GeneratorError) -> [GeneratedFile] {
    let source: JSONValue
    do {
      source = try JSONValue(parsing: data)
    } catch {
      throw GeneratorError(place: error.path ?? "", reason: "not JSON: \(error.reason)")
    }
    let document = try DocumentReader.read(source)
    var files: [GeneratedFile] = []
    files += SchemaEmitter(document: document).files()
    files += OperationEmitter(document: document).files()
    files += ClientEmitter(document: document).files()
    files += FacadeEmitter(document: document).files()
    files.append(ErrorCodeEmitter(document: document).file())
    files.append(DocumentEmitter.file(for: source))
    return files.sorted { $0.path < $1.path }
  }
}
