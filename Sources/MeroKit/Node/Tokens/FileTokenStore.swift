import Foundation
import MeroHTTP

/// Keeps tokens in a file only its owner can read, which several processes may share.
///
/// A write replaces the file as a whole. While one process renews the session it holds a lock on the file beside it
/// with `.lock` at the end of its name. A file that cannot be written leaves the session in memory.
///
/// ```swift
/// let store = FileTokenStore(url: URL(fileURLWithPath: "/home/ada/.config/example/tokens.json"))
/// ```
public struct FileTokenStore: SharedTokenStore {
  private let file: PrivateFile
  private let clock: MeroClock

  /// A store at `url`, a file URL. Folders that are missing are made, for their owner alone.
  public init(url: URL, clock: MeroClock = .system) { self.init(path: url.path, clock: clock) }

  init(path: String, clock: MeroClock) {
    file = PrivateFile(path: path)
    self.clock = clock
  }

  package var lockPath: String { file.path + ".lock" }

  /// What was kept last; nil when there is no file, or when it does not hold tokens.
  public func getTokens() -> TokenData? {
    guard let record = try? file.read() else { return nil }
    return TokenData(record: record, now: clock.now())
  }
  /// Replaces what is kept.
  public func setTokens(_ tokens: TokenData) {
    if let record = try? tokens.record() { try? file.write(record) }
  }
  /// Removes the file.
  public func clear() { try? file.remove() }
}
