import MeroWire

// Searching what an app's code has put in its index.

extension ClusterState {
  static let searchHandlers: [String: Handler] = [
    "app_search": { state, _, x in try state.search(x) }
  ]

  private struct Entry {
    let kind: String
    let id: String
    let text: String
    let value: JSONValue
  }

  private struct Hit {
    let key: String
    let json: JSONValue
  }

  private func search(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    let fields = try x.fields()
    try requireReady(app, forView: true)
    guard let position = app.position(at: applied(by: x.node)) else { throw Refusal.notFound("app") }
    let query = fields["query"]?.stringValue ?? ""
    let kinds = fields["kinds"]?.arrayValue.map { Set($0.compactMap(\.stringValue)) }
    let words = Set(Self.words(of: query))
    let hits = entries(of: position.data).filter { kinds?.contains($0.kind) ?? true }
      .compactMap { hit($0, words: words) }.sorted { $0.key < $1.key }
    let listing = "app_search \(app.id) \(caller.account.id) \(kinds?.sorted() ?? []) \(query)"
    let page = try pages.page(
      of: hits, listing: listing, cursor: fields["cursor"]?.stringValue, limit: fields["limit"]?.int ?? 20,
      ids: ids, key: \.key)
    var answer: JSONObject = [
      "hits": .array(page.items.map(\.json)), "seq": JSONValue(position.seq),
    ]
    answer["nextCursor"] = page.next.map { .string($0) }
    return .answer(200, .object(answer))
  }

  /// The index as it stands after everything that was put in and taken out.
  private func entries(of data: AppData) -> [Entry] {
    var entries: [String: Entry] = [:]
    for change in data.list(AppData.searchIndex) {
      let (kind, id) = (change["kind"]?.stringValue ?? "", change["id"]?.stringValue ?? "")
      entries["\(kind)\u{0}\(id)"] = change["text"]?.stringValue.map {
        Entry(kind: kind, id: id, text: $0, value: change["value"] ?? .null)
      }
    }
    return Array(entries.values)
  }

  /// An entry that has every word, the better the more often it has them and the shorter it is.
  private func hit(_ entry: Entry, words: Set<String>) -> Hit? {
    let found = Self.words(of: entry.text)
    let matches = found.filter(words.contains)
    guard !words.isEmpty, Set(matches) == words else { return nil }
    let score = Double(matches.count) + Double(matches.count) / Double(found.count)
    guard let number = try? JSONNumber(score) else { return nil }
    var json: JSONObject = [
      "id": .string(entry.id), "kind": .string(entry.kind), "score": .number(number), "value": entry.value,
    ]
    json["snippet"] = Self.snippet(of: entry.text, around: words).map { .string($0) }
    // Best first, so the key falls as the score rises.
    let order = String(1_000_000_000_000 - Int(score * 1_000_000))
    let padded = String(repeating: "0", count: max(0, 13 - order.count)) + order
    return Hit(key: "\(padded)\u{0}\(entry.kind)\u{0}\(entry.id)", json: .object(json))
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The line of the first match, cut to what fits one line of a list.
  private static func snippet(of text: String, around words: Set<String>) -> String? {
    let line = text.split(separator: "\n").first { !words.isDisjoint(with: Self.words(of: String($0))) }
    return line.map { String($0.prefix(120)) }
  }
}
