import MeroWire

/// What events can be asked for: those of a context, or those of a group.
enum SseTopic: Sendable, Hashable {
  case context(String)
  case group(String)

  var id: String {
    switch self {
    case .context(let id), .group(let id): id
    }
  }

  /// An id as events spell it.
  static func plain(_ id: String) -> String { id.plainId }

  /// One topic for each id, in order, none twice.
  static func list(contextIds: [String], groupIds: [String]) -> [SseTopic] {
    var seen: Set<SseTopic> = []
    let all = contextIds.map { context($0.plainId) } + groupIds.map { group($0.plainId) }
    return all.filter { !$0.id.isEmpty && seen.insert($0).inserted }
  }
}

extension String {
  /// An id as a node spells it in its events: 64 hex digits in lower case. Any other id as it is, for nodes before rc.27
  /// spell them in base58.
  fileprivate var plainId: String {
    let isHex =
      utf8.count == 64
      && utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      }
    return isHex ? lowercased() : self
  }
}

/// One change of what a session is subscribed to, as it is posted (10 §4.3).
struct SseRequest: Sendable, Hashable {
  enum Method: String, Sendable { case subscribe, unsubscribe }

  /// Tells its answer from one that comes too late.
  let number: Int
  let session: String
  let method: Method
  let topics: [SseTopic]

  /// The body. An empty list is left out: older nodes refuse a key they do not know.
  var json: JSONValue {
    var parameters = JSONObject()
    let contexts = topics.compactMap { if case .context(let id) = $0 { JSONValue.string(id) } else { nil } }
    let groups = topics.compactMap { if case .group(let id) = $0 { JSONValue.string(id) } else { nil } }
    if !contexts.isEmpty { parameters["contextIds"] = .array(contexts) }
    if !groups.isEmpty { parameters["groupIds"] = .array(groups) }
    return ["id": .string(session), "method": .string(method.rawValue), "params": .object(parameters)]
  }

  /// The topics that an answer grants.
  static func granted(in answer: JSONValue) -> Set<SseTopic> {
    func ids(_ name: String) -> [String] {
      answer["result"]?[name]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    return Set(SseTopic.list(contextIds: ids("contexts"), groupIds: ids("groups")))
  }
}
