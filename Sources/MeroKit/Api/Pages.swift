/// How many items a ``Pages`` sequence asks for at a time (70 §2.2).
let pageLimit: Int32 = 100

/// All items of a listing, asked for page by page as they are read.
///
/// The listings of ``CalimeroClient`` make it: `list` has `all`, `memberList` has `memberAll`, and so on.
/// Nothing is asked before the first item is wanted, and no page before the one before it is used up. It may be
/// read more than once; each reading begins anew.
///
/// ```swift
/// for try await app in client.apps.all(org: orgId) { print(app.name) }
/// ```
///
/// Reading throws ``CalimeroError``, also `decoding` when a node answers a cursor that it gave before, which
/// would go round for ever. After an error the reading is over.
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
  /// One item of the listing.
  public typealias Element = Item

  typealias Fetch = @Sendable (_ cursor: String?) async throws -> (items: [Item], nextCursor: String?)

  private let operation: String
  private let fetch: Fetch

  init(of operation: String, fetch: @escaping Fetch) {
    self.operation = operation
    self.fetch = fetch
  }

  /// Begins a reading.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(operation: operation, fetch: fetch)
  }

  /// One reading of the listing.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let operation: String
    private let fetch: Fetch
    private var page: ArraySlice<Item> = []
    private var cursor: String?
    private var cursorsSeen: Set<String> = []
    private var isLastPage = false

    fileprivate init(operation: String, fetch: @escaping Fetch) {
      self.operation = operation
      self.fetch = fetch
    }

    /// The next item, or nil after the last.
    public mutating func next() async throws -> Item? {
      while page.isEmpty {
        guard !isLastPage else { return nil }
        do {
          try await turn()
        } catch {
          isLastPage = true
          throw error
        }
      }
      return page.removeFirst()
    }

    private mutating func turn() async throws {
      let (items, next) = try await fetch(cursor)
      if let next, !cursorsSeen.insert(next).inserted {
        throw CalimeroError.decoding(
          DecodingFailure(
            path: "nextCursor", reason: "the cursor was answered before", operation: operation))
      }
      page = items[...]
      cursor = next
      isLastPage = next == nil
    }
  }
}
