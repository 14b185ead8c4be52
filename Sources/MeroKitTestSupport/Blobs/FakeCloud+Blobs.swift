import Foundation
import MeroWire

extension FakeCloud {
  /// Changes how many bytes a file put in one request may have, and a part of an upload, so that a test of large files
  /// needs no large file. `GET /info` says the same.
  public func setFileLimits(oneRequest: Int, part: Int) {
    precondition(oneRequest >= 0 && part > 0, "a part has at least one byte")
    store.withState { state in
      state.limits.blobBytes = oneRequest
      state.limits.partBytes = part
    }
  }

  /// Flips a bit of a file's stored bytes, as a disk that fails does.
  public func corrupt(blob id: String, of app: String, at offset: Int = 0) {
    store.withState { state in
      var start = 0
      for piece in state.blobs[BlobRecord.id(id, in: app)]?.pieces ?? [] {
        defer { start += piece.size }
        guard (start..<start + piece.size).contains(offset),
          var bytes = try? store.blobBytes.get(piece.name, 0..<piece.size)
        else { continue }
        bytes[bytes.startIndex + offset - start] ^= 1
        try? store.blobBytes.put(bytes, as: piece.name)
      }
    }
  }

  /// The ids of an app's files.
  public func blobs(of app: String) -> Set<String> {
    store.withState { state in Set(state.blobs.values.filter { $0.appId == app }.map(\.hash)) }
  }
}
