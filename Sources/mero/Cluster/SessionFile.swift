import Foundation
import MeroKit

/// The file that the tool keeps a session in.
struct SessionFile {
  let path: String
  /// Whether a person named it. The file at the usual place is the tool's own, whatever it holds.
  let isNamed: Bool

  /// The session that is kept; nil where there is none.
  ///
  /// Throws when a file that was named holds something else: it may be anything. Signing in would replace it, and signing out
  /// remove it.
  func session() throws -> StoredSession? {
    let kept: StoredSession?
    do { kept = try FileSessionStore(path).load() } catch { throw ToolError("\(error)") }
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? UInt64 ?? 0
    guard kept != nil || !isNamed || size == 0 else {
      throw ToolError("\(path) holds something else than a session and is left as it is")
    }
    return kept
  }
}
