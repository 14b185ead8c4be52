import Foundation
import MeroCrypto
import MeroWire

/// An app's code, written as closures, for ``FakeCloud``.
///
/// ```swift
/// cloud.register(FakePackage("com.example.counter", version: "1.0.0") {
///   $0.initialize { context, _ in context["count"] = 0 }
///   $0.call("add") { context, args in
///     guard let step = args["by"]?.int64 else { throw FakePackage.InvalidArguments("by is missing") }
///     let sum = (context["count"]?.int64 ?? 0) + step
///     context["count"] = JSONValue(sum)
///     context.emit("Added", ["sum": JSONValue(sum)])
///     return JSONValue(sum)
///   }
///   $0.view("count") { context, _ in context["count"] ?? 0 }
/// })
/// ```
///
/// A method that throws leaves the state as it was. The code runs inside the cluster, one method at a time, so it must
/// not call back to the cloud or wait for anything.
public struct FakePackage: Sendable {
  /// What runs: the context and the arguments in, the result out.
  public typealias Body = @Sendable (FakeContext, JSONValue) throws -> JSONValue
  /// What makes or changes a state without a result.
  public typealias Setup = @Sendable (FakeContext, JSONValue) throws -> Void

  /// The app's code returned an error: 422 `METHOD_FAILED`, with `error` in `details.error`.
  public struct Failure: Error, Sendable {
    /// The app's own value.
    public var error: JSONValue
    /// An error with this value.
    public init(_ error: JSONValue) { self.error = error }
  }

  /// The app's code crashed or ran out of its budget: 422 `METHOD_TRAPPED`, with the reason in `details.reason`.
  public enum Trap: String, Error, Sendable {
    /// It crashed.
    case trap
    /// It used up its steps.
    case gas
    /// It used up its memory.
    case memory
    /// It used up its time.
    case time
  }

  /// The arguments do not fit the method: 422 `ARGS_INVALID`.
  public struct InvalidArguments: Error, Sendable {
    /// What is wrong with them.
    public var reason: String
    /// Arguments refused for this reason.
    public init(_ reason: String) { self.reason = reason }
  }

  struct Method: Sendable {
    let isView: Bool
    let seconds: TimeInterval
    let body: Body
  }

  /// Collects a package's methods.
  public struct Definition {
    var methods: [String: Method] = [:]
    var initialize: Setup?
    var migrate: Setup?

    /// A method that may change the state. `taking` makes the node wait that many seconds on its clock before it runs,
    /// while the idempotency key counts as in progress.
    public mutating func call(_ name: String, taking seconds: TimeInterval = 0, _ body: @escaping Body) {
      methods[name] = Method(isView: false, seconds: seconds, body: body)
    }

    /// A method that only reads.
    public mutating func view(_ name: String, _ body: @escaping Body) {
      methods[name] = Method(isView: true, seconds: 0, body: body)
    }

    /// What makes the first state from the arguments of the app's creation.
    public mutating func initialize(_ body: @escaping Setup) {
      initialize = body
    }

    /// What turns the state of an older version into this one's; its arguments are `{"from": version}`.
    public mutating func migrate(_ body: @escaping Setup) {
      migrate = body
    }
  }

  /// The package's name, like `com.calimero.chat`.
  public let name: String
  /// The version, SemVer 2.0.
  public let version: String
  let definition: Definition
  /// The code's hash where it came in a bundle whose code is not one of the fake's.
  private var publishedHash: String?

  /// The methods of one version of a package.
  public init(_ name: String, version: String, _ define: (inout Definition) -> Void) {
    self.name = name
    self.version = version
    var definition = Definition()
    define(&definition)
    self.definition = definition
  }

  /// A package that was published without methods the fake knows.
  init(_ name: String, version: String, publishedHash: String) {
    self.init(name, version: version) { _ in }
    self.publishedHash = publishedHash
  }

  /// Stands for the code: the same name, version and methods are the same code.
  var code: Data {
    Data("\(name)@\(version)\n\(definition.methods.keys.sorted())".utf8)
  }

  /// SHA-256 of the code.
  var codeHash: String {
    publishedHash ?? Hex.encode(SHA256.hash(code))
  }
}

extension FakePackage.Definition: Sendable {}

/// What a method of a ``FakePackage`` sees and may change.
public final class FakeContext {
  /// The account that called; `nil` for what the app runs itself.
  public let account: String?
  /// When the method runs.
  public let now: Date

  var data: AppData
  var events: [(kind: String, data: JSONValue)] = []
  private(set) var hasWritten = false
  private let randomBytes: (Int) -> [UInt8]

  init(account: String?, now: Date, data: AppData, random: @escaping (Int) -> [UInt8]) {
    self.account = account
    self.now = now
    self.data = data
    randomBytes = random
  }

  /// The state, a JSON document. Changes are kept when the method returns and forgotten when it throws.
  public var state: JSONValue {
    get { data.document }
    set {
      data.document = newValue
      hasWritten = true
    }
  }

  /// A member of the state; setting `nil` removes it.
  public subscript(name: String) -> JSONValue? {
    get { data.document[name] }
    set {
      var members = data.document.objectValue ?? [:]
      members[name] = newValue
      state = .object(members)
    }
  }

  /// A list of the state that only grows, for histories that get long. An unknown name is an empty list.
  public func list(_ name: String) -> FakeList {
    data.list(name)
  }

  /// Puts a value at the end of a list.
  public func append(_ value: JSONValue, to list: String) {
    data.append(value, to: list)
    hasWritten = true
  }

  /// Emits an event when the method returns. Kinds that begin with `calimero.` are the node's own and trap.
  public func emit(_ kind: String, _ data: JSONValue = .null) {
    events.append((kind, data))
    hasWritten = true
  }

  /// Random bytes from the cluster's seed.
  public func random(_ count: Int) -> [UInt8] {
    randomBytes(count)
  }
}
