import Foundation

/// Which file a name leads to: two that are equal are one file, whatever it is called by now.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// nil when there is none.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
