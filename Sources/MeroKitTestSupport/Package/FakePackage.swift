import Foundation
import MeroCrypto
import MeroWire

/// An app's code, written as closures, for ``FakeCloud``.
///
/// ```swift
/// cloud.register(FakePackage("com.example.counter", version: "1.0.0") {
///   $0.emits("Added")
///   $0.initialize { context, _ in context["count"] = 0 }
///   $0.call("add", params: ["by": "i64"], returns: "i64") { context, args in
///     guard let step = args["by"]?.int64 else { throw FakePackage.InvalidArguments("by is missing") }
///     let sum = (context["count"]?.int64 ?? 0) + step
///     context["count"] = JSONValue(sum)
///     context.emit("Added", ["sum": JSONValue(sum)])
///     return JSONValue(sum)
///   }
///   $0.view("count", returns: "i64") { context, _ in context["count"] ?? 0 }
/// })
/// ```
///
/// **State.** ``FakeContext/state`` is one JSON document, ``FakeContext/list(_:)`` a list that only grows. A method that
/// throws leaves both as they were, and its events are never seen.
///
/// **Refusing.** Throw ``Failure`` for an error of the app's own, which callers read as `METHOD_FAILED`;
/// ``InvalidArguments`` for arguments that do not fit; a ``Trap`` to behave as code that crashed or used up its budget.
/// Any other error counts as a failure with its description.
///
/// **Time.** A method `taking` seconds makes the node wait that long on its clock. A call may take 30 seconds and traps
/// with ``Trap/time`` when it would take longer; a job has the time it asks for.
///
/// **Search.** ``FakeContext/index(_:id:text:value:)`` puts an entry in the index that `apps.search` looks in.
///
/// **Versions.** A newer version with a ``Definition/migrate(taking:_:)`` turns the old state into its own. It works on a
/// copy: when it throws, the app stays at the old version.
///
/// The code runs inside the cluster, one method at a time, so it must not call back to the cloud or wait for anything.
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
    let params: [(name: String, type: String)]
    let returns: String?
    let seconds: TimeInterval
    /// How often a job reports progress, its end included.
    let steps: Int
    let body: Body
  }

  /// Collects a package's methods.
  public struct Definition {
    var methods: [String: Method] = [:]
    var kinds: [String] = []
    var initialize: Setup?
    var initializeSeconds: TimeInterval = 0
    var migrate: Setup?
    var migrateSeconds: TimeInterval = 0

    /// A method that may change the state.
    ///
    /// - Parameters:
    ///   - params: names and types for the app's interface, in order; a type that ends in `?` may be left out. Nothing
    ///     checks arguments against them but the method itself.
    ///   - returns: the type of the result, for the interface.
    ///   - seconds: how long the node waits on its clock before it runs, while an idempotency key counts as in progress
    ///     and a job as running.
    ///   - steps: in how many equal steps a job of this method reports its progress over those seconds.
    public mutating func call(
      _ name: String, params: KeyValuePairs<String, String> = [:], returns: String? = nil,
      taking seconds: TimeInterval = 0, steps: Int = 1, _ body: @escaping Body
    ) {
      methods[name] = Method(
        isView: false, params: params.map { ($0.key, $0.value) }, returns: returns, seconds: seconds,
        steps: max(1, steps), body: body)
    }

    /// A method that only reads. One that changes the state all the same is answered with `VIEW_WROTE`.
    public mutating func view(
      _ name: String, params: KeyValuePairs<String, String> = [:], returns: String? = nil,
      _ body: @escaping Body
    ) {
      methods[name] = Method(
        isView: true, params: params.map { ($0.key, $0.value) }, returns: returns, seconds: 0, steps: 1,
        body: body)
    }

    /// The kinds of event the methods emit, for the app's interface.
    public mutating func emits(_ kinds: String...) {
      self.kinds += kinds
    }

    /// What makes the first state from the arguments of the app's creation. The app is `creating` for `seconds`; when
    /// this throws, there is no app. What it emits are the app's first events, at position 0.
    public mutating func initialize(taking seconds: TimeInterval = 0, _ body: @escaping Setup) {
      initialize = body
      initializeSeconds = seconds
    }

    /// What turns the state of an older version into this one's; its arguments are `{"from": version}`. The app is
    /// `upgrading` for `seconds`, and views answer from the old version; when this throws, it stays there.
    public mutating func migrate(taking seconds: TimeInterval = 0, _ body: @escaping Setup) {
      migrate = body
      migrateSeconds = seconds
    }
  }

  /// The package's name, like `com.calimero.chat`.
  public let name: String
  /// The version, SemVer 2.0.
  public let version: String
  let definition: Definition
  /// Whether it stands for a version whose code is not there.
  let isUnknown: Bool
  /// The code's hash where it came in a bundle whose code is not one of the fake's.
  private var publishedHash: String?

  /// The methods of one version of a package.
  public init(_ name: String, version: String, _ define: (inout Definition) -> Void) {
    self.name = name
    self.version = version
    var definition = Definition()
    define(&definition)
    self.definition = definition
    isUnknown = false
  }

  /// Stands for a version that an app of an earlier run of the program used and this one does not have.
  init(unknown name: String, version: String) {
    self.name = name
    self.version = version
    definition = Definition()
    isUnknown = true
    publishedHash = nil
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

  /// Puts an entry in the app's search index, or replaces it. `kind` names the index and `id` the entry in it; `text` is
  /// what words are looked for in, `value` what is answered.
  public func index(_ kind: String, id: String, text: String, value: JSONValue) {
    append(
      ["kind": .string(kind), "id": .string(id), "text": .string(text), "value": value],
      to: AppData.searchIndex)
  }

  /// Takes an entry out of the app's search index.
  public func removeFromIndex(_ kind: String, id: String) {
    append(["kind": .string(kind), "id": .string(id)], to: AppData.searchIndex)
  }

  /// Emits an event when the method returns. Kinds that begin with `calimero.` are the node's own and trap, and so
  /// do kinds with a line break.
  public func emit(_ kind: String, _ data: JSONValue = .null) {
    events.append((kind, data))
    hasWritten = true
  }

  /// Random bytes from the cluster's seed.
  public func random(_ count: Int) -> [UInt8] {
    randomBytes(count)
  }
}
