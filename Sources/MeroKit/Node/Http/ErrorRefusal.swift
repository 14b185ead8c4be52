import MeroWire

/// What a node said when it refused: the members of its error body (10 §1.4).
public struct ErrorRefusal: Sendable, Hashable {
  /// The sentence, when there is one.
  public let message: String?
  /// The kind of a method's own refusal, such as `FunctionCallError`.
  public let type: String?
  /// What came with it; its shape depends on ``type``.
  public let data: JSONValue?

  /// A refusal of these parts.
  public init(message: String? = nil, type: String? = nil, data: JSONValue? = nil) {
    self.message = message
    self.type = type
    self.data = data
  }

  /// Reads an error body; nil when it is no JSON object with at least one of `error`, `type` and `data`.
  init?(body: String) {
    guard let object = (try? JSONValue(parsing: body))?.objectValue,
      object["error"] != nil || object["type"] != nil || object["data"] != nil
    else { return nil }
    let error = object["error"]
    let sentences = [error?.stringValue, error?["message"]?.stringValue]
    message = sentences.compactMap { $0 }.first { !$0.isBlank }
    type = object["type"]?.stringValue
    data = object["data"]
  }
}

extension String {
  /// Whether there is nothing but white space in it.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
