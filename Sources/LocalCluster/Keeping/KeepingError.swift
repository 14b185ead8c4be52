/// A cluster's data could not be read or written. Every message names the file or folder.
package enum KeepingError: Error, Equatable, CustomStringConvertible {
  /// The folder cannot be made, opened or written to.
  case folder(String, reason: String)
  /// Another process keeps its cluster there.
  case inUse(String, process: String?)
  /// The file is not such a database, or is damaged.
  case damaged(String, reason: String)
  /// A newer program wrote it.
  case newer(String, version: Int, known: Int)
  /// SQLite refused something.
  case failed(String, reason: String)

  package var description: String {
    switch self {
    case .folder(let path, let reason):
      return "the cluster cannot be kept in \(path): \(reason)"
    case .inUse(let path, let process):
      let who = process.map { "process \($0)" } ?? "another process"
      return "\(who) keeps its cluster in \(path); end that one, or choose another folder"
    case .damaged(let path, let reason):
      return
        "\(path) cannot be read: \(reason). It was left as it is; move it away to begin with a new cluster"
    case .newer(let path, let version, let known):
      return
        "\(path) was written by a newer “mero” (version \(version) of the file; this one knows \(known)); use that one"
    case .failed(let path, let reason):
      return "\(path): \(reason)"
    }
  }
}
