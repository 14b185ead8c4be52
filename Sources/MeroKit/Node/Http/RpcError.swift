import Foundation
import MeroWire

/// A method's refusal over JSON-RPC; the HTTP status is 200 (10 §3).
public struct RpcError: Error, Sendable, Hashable {
  /// The code; -1 when the answer has none, as a node's has.
  public let code: Int
  /// What happened, in words.
  public let message: String
  /// The kind, such as `FunctionCallError`; nil when the answer has none.
  public let type: String?
  /// What came with it; its shape depends on ``type``.
  public let data: JSONValue?

  /// A refusal of these parts.
  public init(code: Int = -1, message: String, type: String? = nil, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.type = type
    self.data = data
  }

  /// Reads the `error` member of an answer.
  package init(_ error: JSONValue) {
    let type = error["type"]?.stringValue
    let data = error["data"]
    self.init(
      code: error["code"]?.int ?? -1,
      message: error["message"]?.stringValue.flatMap { $0.isBlank ? nil : $0 }
        ?? Self.sentence(type: type, data: data) ?? error.stringValue ?? "RPC error",
      type: type, data: data)
  }

  private static func sentence(type: String?, data: JSONValue?) -> String? {
    guard let type else { return data?.stringValue }
    return data?.stringValue.map { "\(type): \($0)" } ?? type
  }
}

extension RpcError {
  /// The ``type`` by which a node says that its role is read-only.
  public static let readOnlyWriteRefusedType = "ReadOnlyWriteRefused"

  /// Whether this node only reads: the call must be made on another one.
  public var isReadOnlyWriteRefused: Bool { type == Self.readOnlyWriteRefusedType }

  /// The context a read-only node refused to write to.
  public var refusedContextId: String? { isReadOnlyWriteRefused ? data?["context_id"]?.stringValue : nil }

  /// Whether the same call will succeed by itself after a while: the context has no state yet, its key has not come, or
  /// it is being migrated.
  public var isTransient: Bool {
    type.map { ["Uninitialized", "GroupKeyPending", "UpgradeInProgress"].contains($0) } ?? false
  }
}

extension RpcError: CustomStringConvertible, LocalizedError {
  /// The same as ``message``.
  public var description: String { message }
  /// The same as ``message``.
  public var errorDescription: String? { message }
}
