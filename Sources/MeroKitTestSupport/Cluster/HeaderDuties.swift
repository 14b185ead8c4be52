import Foundation
import MeroHTTP
import MeroSealed

/// What every request owes a node in its header (70 §2.2), and an operation of its own kind of content.
///
/// A node refuses none that leaves something out: the document gives no code for it, and what a node needs to know it knows
/// without. A client that forgets them is to be found out all the same.
enum HeaderDuties {
  /// What the request leaves out or says otherwise, in words.
  static func lapses(of request: SealedInnerRequest, for operation: ServedOperation?) -> [String] {
    let headers = request.headers
    var lapses: [String] = []
    func expect(_ name: String, _ what: String, _ isKept: (String?) -> Bool) {
      guard !isKept(headers[name]) else { return }
      let place = operation?.id ?? "\(request.method) \(request.path)"
      lapses.append(
        "\(place): \(name) is \(headers[name].map { "“\($0)”" } ?? "missing"), and should be \(what)")
    }
    expect("x-calimero-api", "1") { $0 == "1" }
    expect("x-calimero-client", "the client and its version") { $0?.contains("/") ?? false }
    expect("x-calimero-request-id", "a UUID in lower case") {
      $0.map { UUID(uuidString: $0) != nil && $0 == $0.lowercased() } ?? false
    }
    expect("x-calimero-attempt", "the try, from 1") { $0.flatMap { Int($0) }.map { $0 >= 1 } ?? false }
    guard let operation else { return lapses }
    expect("accept", operation.answersWith) { $0 == operation.answersWith }
    if !operation.acceptsSession && !operation.acceptsApiKey {
      expect("authorization", "absent: the operation is anyone's") { $0 == nil }
    }
    switch operation.body {
    case _ where request.body.isEmpty: expect("content-type", "absent where there is no body") { $0 == nil }
    case .json: expect("content-type", "application/json") { $0 == "application/json" }
    case .bytes, .stream, .empty: expect("content-type", "the type of the bytes") { $0 != nil }
    }
    return lapses
  }
}

extension ServedOperation {
  /// The media type of its success.
  fileprivate var answersWith: String {
    for (status, shape) in responses where (200..<300).contains(status) {
      switch shape {
      case .stream: return "text/event-stream"
      case .bytes: return "application/octet-stream"
      case .json, .empty: continue
      }
    }
    return "application/json"
  }
}
