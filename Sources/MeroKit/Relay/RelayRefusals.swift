import MeroWire

/// What a relay's refusal means (40 §10.3).
enum RelayRefusals: Sendable {
  /// Of something that was signed, or of the question about it.
  case intent
  /// Of an op of governance.
  case governance
  /// Of a request under a session.
  case session

  /// The error to throw.
  func error(_ refusal: HTTPError) -> any Error {
    if refusal.status == 400, let error = Self.methodError(in: refusal.bodyText) {
      return MeroError.rpc(error)
    }
    guard self != .session, refusal.status == 400 || refusal.status == 403 else {
      return MeroError.http(refusal)
    }
    let isProxy = refusal.authError != nil || Self.isPage(refusal)
    let reason = isProxy ? Self.text(refusal.bodyText) : Self.reason(in: refusal.bodyText)
    // The page of a proxy may have the word in it, and means something else.
    return AccountError.intentRefused(
      reason: reason, retryable: !isProxy && saysSpent(reason), status: refusal.status)
  }

  /// Whether a warrant with another number may be taken.
  private func saysSpent(_ reason: String) -> Bool {
    let reason = reason.lowercased()
    // Of governance, nodes say it without the word (30 §8).
    return reason.contains("nonce") || (self == .governance && reason.contains("already been spent"))
  }

  /// What a method itself refused with, as a node's JSON-RPC would say it: nothing was run, and the app decides.
  private static func methodError(in body: String) -> RpcError? {
    guard let json = try? JSONValue(parsing: body), let type = json["type"]?.stringValue else { return nil }
    let message = json["error"]?.stringValue.flatMap { $0.isBlank ? nil : $0 }
    return RpcError(message: message ?? type, type: type, data: json["data"])
  }

  /// Why, in words, from an error body (40 §3.3).
  static func reason(in body: String) -> String {
    if let object = (try? JSONValue(parsing: body))?.objectValue {
      let texts = [object["error"], object["message"]].compactMap { $0?.stringValue }
      if let reason = texts.first(where: { !$0.isEmpty }) { return Excerpt.of(reason, upTo: 1000) }
    }
    return text(body)
  }

  private static func text(_ body: String) -> String {
    body.isEmpty ? "the relay gave no reason" : Excerpt.of(body, upTo: 1000)
  }

  private static func isPage(_ refusal: HTTPError) -> Bool {
    refusal.headers["content-type"]?.lowercased().contains("html") == true
      || refusal.bodyText.first { !$0.isWhitespace } == "<"
  }
}
