import MeroWire

/// The cursors of listings. Each is bound to its listing, filters and caller (70 §2.2).
struct PageCursors {
  private struct Entry {
    let listing: String
    let last: String
  }

  private var entries: [String: Entry] = [:]
  private var order: [String] = []

  /// One page of `items`, which are sorted by `key`: those after the cursor, at most `limit`, and where to go on.
  mutating func page<Item>(
    of items: [Item], listing: String, cursor: String?, limit: Int, ids: IdMaker,
    key: (Item) -> String, isBefore: (String, String) -> Bool = { $0 < $1 }
  ) throws(Refusal) -> (items: ArraySlice<Item>, next: String?) {
    var start = 0
    if let cursor {
      guard let entry = entries[cursor], entry.listing == listing else { throw .invalidCursor }
      start = items.firstIndex { isBefore(entry.last, key($0)) } ?? items.count
    }
    let page = items[start...].prefix(limit)
    guard let last = page.last, page.endIndex < items.count else { return (page, nil) }
    return (page, remember(listing, key(last), ids))
  }

  private mutating func remember(_ listing: String, _ last: String, _ ids: IdMaker) -> String {
    let cursor = "p1." + Base64URL.encode(ids.bytes(15))
    entries[cursor] = Entry(listing: listing, last: last)
    order.append(cursor)
    if order.count > 20_000 {
      for old in order.prefix(10_000) { entries[old] = nil }
      order.removeFirst(10_000)
    }
    return cursor
  }
}
