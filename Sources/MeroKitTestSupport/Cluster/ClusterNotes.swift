import MeroHTTP

/// What a cluster notes for whoever runs it, and does not tell the client.
struct ClusterNotes: Sendable {
  /// Answers of the fake's own that do not fit the document.
  let violations = NoteList()
  /// Requests that do not fit the document.
  let unfit = NoteList()
  /// Headers that clients left out.
  let lapses = NoteList()

  func violate(_ text: String) { violations.note(text) }
}

/// Notes in words, as many as anybody reads.
final class NoteList: Sendable {
  private static let most = 1000
  private let kept = Locked<[String]>([])

  var all: [String] { kept.withLock { $0 } }

  func note(_ text: String) { note([text]) }

  func note(_ texts: [String]) {
    guard !texts.isEmpty else { return }
    kept.withLock { $0.append(contentsOf: texts.prefix(max(0, Self.most - $0.count))) }
  }

  func clear() { kept.withLock { $0 = [] } }
}
