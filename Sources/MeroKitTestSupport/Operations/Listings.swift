import MeroWire

extension ClusterState {
  /// One page of a listing as it is answered: its items under `field`, and where to go on.
  ///
  /// The cursor is bound to the operation, its path, its filters and the caller (70 §2.2).
  func list<Item>(
    _ field: String, _ items: [Item], _ x: Exchange, for caller: Caller, by key: (Item) -> String,
    isBefore: @escaping (String, String) -> Bool = { $0 < $1 }, _ describe: (Item) -> JSONValue
  ) throws -> Outcome {
    let filters = x.query.filter { $0.key != "cursor" && $0.key != "limit" }
    let bound = x.path.merging(filters) { first, _ in first }.sorted { $0.key < $1.key }
    let listing = bound.reduce("\(x.operation.id) \(caller.account.id)") { "\($0) \($1.key)=\($1.value)" }
    let sorted = items.sorted { isBefore(key($0), key($1)) }
    let page = try pages.page(
      of: sorted, listing: listing, cursor: x.query["cursor"], limit: x.limit(50), ids: ids, key: key,
      isBefore: isBefore)
    var answer: JSONObject = [field: .array(page.items.map(describe))]
    answer["nextCursor"] = page.next.map { .string($0) }
    return .answer(200, .object(answer))
  }
}
