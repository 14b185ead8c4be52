import MeroWire

/// What has been written of an app's state and events, to find out what is new in them.
///
/// The document is one piece; a list of the state has a piece for each element, and so have the events. So a call costs
/// what it changed, however long the app's history is.
struct AppPieces {
  static let document = "document"
  static let events = "events"
  /// Comes before the name of a list of the state.
  static let listPrefix = "list."

  private var document: AppData.Mark?
  private var lists: [String: FakeList] = [:]
  /// Places of events: those before the first are forgotten, and the end is not written yet.
  private var firstEvent = 0
  private var eventEnd = 0

  init() {}

  /// For an app that was just read.
  init(read data: AppData, _ events: EventLog) {
    document = data.mark
    lists = data.lists
    firstEvent = events.dropped
    eventEnd = events.dropped + events.events.count
  }

  /// What to write so that what is kept is this.
  mutating func changes(to data: AppData, _ events: EventLog, of record: Record) -> [KeptChange] {
    func list(_ name: String) -> KeptList {
      KeptList(table: type(of: record).table, id: record.id, name: name)
    }
    var changes: [KeptChange] = []
    if document !== data.mark {
      changes.append(.dropFirst(list(Self.document), before: 1))
      changes.append(.append(list(Self.document), at: 0, data.document.data()))
      document = data.mark
    }
    for (name, elements) in data.lists {
      let written = lists[name] ?? FakeList()
      let same = elements.shared(with: written)
      if same < written.count { changes.append(.dropLast(list(Self.listPrefix + name), from: same)) }
      for place in same..<elements.count {
        changes.append(.append(list(Self.listPrefix + name), at: place, elements[place].data()))
      }
    }
    for name in lists.keys where data.lists[name] == nil {
      changes.append(.dropLast(list(Self.listPrefix + name), from: 0))
    }
    lists = data.lists
    if firstEvent < events.dropped {
      changes.append(.dropFirst(list(Self.events), before: events.dropped))
      firstEvent = events.dropped
    }
    let end = events.dropped + events.events.count
    for place in max(eventEnd, events.dropped)..<end {
      changes.append(
        .append(list(Self.events), at: place, events.events[place - events.dropped].written.data()))
    }
    eventEnd = end
    return changes
  }
}

extension StoredEvent {
  /// The event as it is kept: without what is known from the app.
  fileprivate var written: JSONValue {
    var row: JSONObject = [
      "seq": JSONValue(place.seq), "index": JSONValue(place.index), "change": JSONValue(change),
      "kind": .string(kind), "at": JSONValue(at),
    ]
    row["actor"] = json["actor"]
    row["data"] = json["data"]
    return .object(row)
  }
}

extension EventLog {
  /// Enters the events of a log that was kept.
  ///
  /// - Parameters:
  ///   - row: the row of the app.
  ///   - forgotten: the newest place that was no longer kept.
  func restore(_ row: RecordRow, forgotten: EventPlace, last: EventPlace, dropped: Int) throws {
    let (first, events) = try row.jsonList(AppPieces.events)
    guard events.isEmpty || first == dropped else { throw row.damage(AppPieces.events) }
    for (place, value) in events.enumerated() {
      let name = "\(AppPieces.events)[\(first + place)]"
      guard let fields = value.objectValue else { throw row.damage(name) }
      let event = RecordRow(table: row.table, id: "\(row.id) \(name)", fields: fields)
      enter(
        seq: try event.count("seq"), index: Int(clamping: try event.integer("index")),
        change: try event.count("change"), kind: try event.string("kind"), data: try event.json("data"),
        actor: event.optional("actor")?.stringValue, at: try event.integer("at"))
    }
    takePlaces(forgotten: forgotten, last: last, dropped: dropped)
  }
}

extension EventPlace {
  var written: JSONValue { ["seq": JSONValue(seq), "index": JSONValue(index)] }

  init(_ row: RecordRow, _ name: String) throws {
    guard let place = row.optional(name), let seq = place["seq"]?.uint64, let index = place["index"]?.int
    else {
      throw row.damage(name)
    }
    self.init(seq: seq, index: index)
  }
}

extension AppData {
  /// The state of an app that was kept.
  init(_ row: RecordRow) throws {
    let documents = try row.jsonList(AppPieces.document).elements
    guard documents.count == 1 else { throw row.damage(AppPieces.document) }
    var lists: [String: [JSONValue]] = [:]
    for name in row.listNames where name.hasPrefix(AppPieces.listPrefix) {
      let (first, elements) = try row.jsonList(name)
      guard first == 0 else { throw row.damage(name) }
      lists[String(name.dropFirst(AppPieces.listPrefix.count))] = elements
    }
    self.init(document: documents[0], lists: lists)
  }
}
