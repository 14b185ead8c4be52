import Foundation
import MeroKit

/// The file that the tool keeps a session in.
struct SessionFile {
  let path: String

  /// The session that is kept; nil where there is none.
  ///
  /// Throws when the file holds something else: it may be anything, and whoever signs in would lose it.
  func session() throws -> StoredSession? {
    if let session = try FileSessionStore(path).load() { return session }
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? UInt64 ?? 0
    guard size == 0 else {
      throw ToolError(
        "\(path) holds no session, and is left as it is: remove it, or name another file with --session")
    }
    return nil
  }
}
