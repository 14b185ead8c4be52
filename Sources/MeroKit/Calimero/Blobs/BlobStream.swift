import Foundation
import MeroHTTP

/// The bytes of a file as they come; ``CalimeroClient/Blobs/stream(_:range:)`` makes it.
///
/// Nothing is asked before the first bytes are wanted. Each loop over it asks anew; leaving the loop ends the request.
/// Reading throws ``CalimeroError``.
public struct BlobStream: AsyncSequence, Sendable {
  /// A piece of the file; its size means nothing.
  public typealias Element = Data

  let requests: BlobRequests
  let id: String
  let range: Range<UInt64>?

  /// Begins a reading.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(requests: requests, id: id, range: range)
  }

  /// One reading of the file.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let begin: () throws -> BlobReader
    private var reader: BlobReader?

    init(requests: BlobRequests, id: String, range: Range<UInt64>?) {
      begin = { try BlobReader(requests: requests, id: id, range: range) }
    }

    /// The next bytes, or nil at the end.
    public mutating func next() async throws -> Data? {
      var reader = try self.reader ?? begin()
      defer { self.reader = reader }
      return try await CalimeroError.translating { try await reader.next() }
    }
  }
}
