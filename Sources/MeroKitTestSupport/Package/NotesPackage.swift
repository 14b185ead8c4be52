import Foundation
import MeroWire

extension FakePackage {
  /// Notes with a title and a text, which every cluster begins with beside ``chat`` and ``kv``.
  ///
  /// `add` with `title` and `text` answers the note, `edit` with `id` and whichever of the two is to change likewise,
  /// `remove` takes an `id`; `get` with `id` and `list` are views. Every note can be found with `apps.search`, under the
  /// kind `note`. An unknown id is a failure `{"reason": "unknown note"}`.
  public static let notes = FakePackage("com.calimero.notes", version: "1.0.0") {
    $0.emits("NoteAdded", "NoteEdited", "NoteRemoved")
    $0.initialize { context, _ in
      context["notes"] = [:]
      context["made"] = 0
    }
    $0.call("add", params: ["title": "string", "text": "string?"], returns: "Note") { context, args in
      let made = (context["made"]?.int64 ?? 0) + 1
      context["made"] = JSONValue(made)
      var note: JSONObject = [
        "id": .string("note-\(made)"), "title": .string(try title(args)),
        "text": .string(args["text"]?.stringValue ?? ""), "at": JSONValue(milliseconds(context)),
      ]
      note["author"] = context.account.map { .string($0) }
      return keep(note, "NoteAdded", context)
    }
    $0.call(
      "edit", params: ["id": "string", "title": "string?", "text": "string?"], returns: "Note"
    ) { context, args in
      var note = try note(args, context)
      if args["title"] != nil { note["title"] = .string(try title(args)) }
      if let text = args["text"]?.stringValue { note["text"] = .string(text) }
      note["editedAt"] = JSONValue(milliseconds(context))
      return keep(note, "NoteEdited", context)
    }
    $0.call("remove", params: ["id": "string"]) { context, args in
      let id = try note(args, context)["id"]?.stringValue ?? ""
      var notes = all(context)
      notes[id] = nil
      context["notes"] = .object(notes)
      context.removeFromIndex("note", id: id)
      context.emit("NoteRemoved", ["id": .string(id)])
      return .null
    }
    $0.view("get", params: ["id": "string"], returns: "Note") { .object(try note($1, $0)) }
    $0.view("list", returns: "{ notes: Note[] }") { context, _ in
      ["notes": .array(all(context).map(\.value))]
    }
  }

  private static func all(_ context: FakeContext) -> JSONObject { context["notes"]?.objectValue ?? [:] }

  private static func note(_ args: JSONValue, _ context: FakeContext) throws -> JSONObject {
    guard let id = args["id"]?.stringValue else { throw InvalidArguments("id must be a string") }
    guard let note = all(context)[id]?.objectValue else { throw Failure(["reason": "unknown note"]) }
    return note
  }

  private static func title(_ args: JSONValue) throws -> String {
    guard let title = args["title"]?.stringValue, !title.isEmpty else {
      throw InvalidArguments("title must be a string that is not empty")
    }
    return title
  }

  private static func milliseconds(_ context: FakeContext) -> Int64 {
    Int64((context.now.timeIntervalSince1970 * 1000).rounded())
  }

  private static func keep(_ note: JSONObject, _ kind: String, _ context: FakeContext) -> JSONValue {
    let (id, title) = (note["id"]?.stringValue ?? "", note["title"]?.stringValue ?? "")
    var notes = all(context)
    notes[id] = .object(note)
    context["notes"] = .object(notes)
    context.index(
      "note", id: id, text: "\(title)\n\(note["text"]?.stringValue ?? "")", value: .object(note))
    context.emit(kind, .object(note))
    return .object(note)
  }
}
