import Foundation
import MeroWire

/// Texts under names in one private file that several processes write to.
struct SharedTexts: Sendable {
  let path: String

  func read(_ name: String) -> String? { (try? texts()[name]) ?? nil }

  /// Changes one text of those that are in the file now, while no other process does; nil leaves it.
  ///
  /// - Throws: ``FileFailure`` when it could not be written.
  func change(_ name: String, _ body: (String?) -> String?) throws {
    try FileLock.whileHeld("\(path).lock") {
      var texts = try texts()
      guard let text = body(texts[name]), texts[name] != text else { return }
      texts[name] = text
      try PrivateFile(path: path).write(Data(RelayMap.object(texts).text.utf8))
    }
  }

  /// What is no such file is lost already, and must not stand in the way of a new one for ever.
  private func texts() throws -> [String: String] {
    try PrivateFile(path: path).read().map { RelayMap.texts(try? JSONValue(parsing: $0)) } ?? [:]
  }
}
