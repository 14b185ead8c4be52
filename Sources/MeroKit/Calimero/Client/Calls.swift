import Foundation
import MeroAPI
import MeroHTTP
import MeroWire

/// What a call returned, and where it stands in the app's order.
public struct CallOutcome: Sendable, Hashable {
  /// What the method returned; `.null` when it returned nothing.
  public let result: JSONValue
  /// The app's position once the call was applied.
  public let seq: UInt64
  /// Whether this is the kept answer of an earlier request with the same idempotency key.
  public let replayed: Bool
  /// How many events the call emitted, when the node says so.
  public let events: Int?
}

/// What a view returned, and the position it read at.
public struct ViewOutcome: Sendable, Hashable {
  /// What the method returned; `.null` when it returned nothing.
  public let result: JSONValue
  /// The app's position it read.
  public let seq: UInt64
}

extension CalimeroClient {
  // MARK: Calls

  /// Calls a method of an app, which may change its state: `POST /apps/{app}/intents`.
  ///
  /// The client makes an idempotency key, so a call whose answer is lost is sent again, at another node if need be, and
  /// still runs once.
  ///
  /// ```swift
  /// let sent = try await client.call(app, "send_message", ["message": "hi"])
  /// let id = sent["id"]?.uint64
  /// ```
  ///
  /// - Parameter args: an object (arguments by name) or an array (in order).
  /// - Throws: ``CalimeroError``; an error of the app's own code is `api` with `METHOD_FAILED`, see
  ///   ``APIError/appError``.
  public func call(
    _ app: String, _ method: String, _ args: JSONValue = [:], options: CallOptions = CallOptions()
  ) async throws -> JSONValue {
    try await callOutcome(app, method, args, options: options).result
  }

  /// Calls a method and reads what it returned as a type of the app. Integers and decimals are exact.
  public func call<T: Decodable>(
    _ app: String, _ method: String, _ args: JSONValue = [:], as type: T.Type,
    options: CallOptions = CallOptions()
  ) async throws -> T {
    try Self.read(try await call(app, method, args, options: options), of: .appCall)
  }

  /// Calls a method and ignores what it returned.
  public func call(
    _ app: String, _ method: String, _ args: JSONValue = [:], as type: Void.Type,
    options: CallOptions = CallOptions()
  ) async throws {
    _ = try await callOutcome(app, method, args, options: options)
  }

  /// Calls a method with arguments of a type of the app.
  @_disfavoredOverload
  public func call(
    _ app: String, _ method: String, _ args: some Encodable, options: CallOptions = CallOptions()
  ) async throws -> JSONValue {
    try await call(app, method, try Self.arguments(args), options: options)
  }

  /// Calls a method with arguments of a type of the app and reads what it returned as another.
  @_disfavoredOverload
  public func call<T: Decodable>(
    _ app: String, _ method: String, _ args: some Encodable, as type: T.Type,
    options: CallOptions = CallOptions()
  ) async throws -> T {
    try await call(app, method, try Self.arguments(args), as: type, options: options)
  }

  /// Calls a method with arguments of a type of the app and ignores what it returned.
  @_disfavoredOverload
  public func call(
    _ app: String, _ method: String, _ args: some Encodable, as type: Void.Type,
    options: CallOptions = CallOptions()
  ) async throws {
    try await call(app, method, try Self.arguments(args), as: type, options: options)
  }

  /// Calls a method and answers everything the node says about it.
  public func callOutcome(
    _ app: String, _ method: String, _ args: JSONValue = [:], options: CallOptions = CallOptions()
  ) async throws -> CallOutcome {
    let key = options.idempotencyKey ?? core.options.random.uuid()
    try CallLimits.check(key: key)
    var body = try CallLimits.body(method, args)
    body["idempotencyKey"] = .string(key)
    if let ifSeq = options.ifSeq { body["ifSeq"] = .number(JSONNumber(ifSeq)) }
    let request = try CallLimits.request(.appCall, app, body, isKeyed: true)
    var plan = RequestPlan(request, options: RequestOptions(timeout: options.timeout, retry: options.retry))
    plan.passkey = options.passkey
    plan.operatorSigner = options.operatorSigner
    plan.idempotencyKey = key
    let response = try await core.engine.perform(request, plan: plan)
    let result: Components.Schemas.CallResult = try response.decoded(for: request)
    await core.settings.saw(app, at: result.seq)
    return CallOutcome(
      result: result.result, seq: result.seq, replayed: result.replayed, events: result.events.map(Int.init))
  }

  /// Calls a method with arguments of a type of the app and answers everything the node says about it.
  @_disfavoredOverload
  public func callOutcome(
    _ app: String, _ method: String, _ args: some Encodable, options: CallOptions = CallOptions()
  ) async throws -> CallOutcome {
    try await callOutcome(app, method, try Self.arguments(args), options: options)
  }

  // MARK: Views

  /// Runs a method of an app that only reads: `POST /apps/{app}/views`.
  ///
  /// With ``Consistency/session`` (the default) it never shows less than this client has seen of the app before, its
  /// own calls included, whichever node answers.
  public func view(
    _ app: String, _ method: String, _ args: JSONValue = [:], options: ViewOptions = ViewOptions()
  ) async throws -> JSONValue {
    try await viewOutcome(app, method, args, options: options).result
  }

  /// Runs a view and reads what it returned as a type of the app. Integers and decimals are exact.
  public func view<T: Decodable>(
    _ app: String, _ method: String, _ args: JSONValue = [:], as type: T.Type,
    options: ViewOptions = ViewOptions()
  ) async throws -> T {
    try Self.read(try await view(app, method, args, options: options), of: .appView)
  }

  /// Runs a view and ignores what it returned: whether it succeeds is the answer.
  public func view(
    _ app: String, _ method: String, _ args: JSONValue = [:], as type: Void.Type,
    options: ViewOptions = ViewOptions()
  ) async throws {
    _ = try await viewOutcome(app, method, args, options: options)
  }

  /// Runs a view with arguments of a type of the app.
  @_disfavoredOverload
  public func view(
    _ app: String, _ method: String, _ args: some Encodable, options: ViewOptions = ViewOptions()
  ) async throws -> JSONValue {
    try await view(app, method, try Self.arguments(args), options: options)
  }

  /// Runs a view with arguments of a type of the app and reads what it returned as another.
  @_disfavoredOverload
  public func view<T: Decodable>(
    _ app: String, _ method: String, _ args: some Encodable, as type: T.Type,
    options: ViewOptions = ViewOptions()
  ) async throws -> T {
    try await view(app, method, try Self.arguments(args), as: type, options: options)
  }

  /// Runs a view with arguments of a type of the app and ignores what it returned.
  @_disfavoredOverload
  public func view(
    _ app: String, _ method: String, _ args: some Encodable, as type: Void.Type,
    options: ViewOptions = ViewOptions()
  ) async throws {
    try await view(app, method, try Self.arguments(args), as: type, options: options)
  }

  /// Runs a view and answers its result with the position it read at.
  public func viewOutcome(
    _ app: String, _ method: String, _ args: JSONValue = [:], options: ViewOptions = ViewOptions()
  ) async throws -> ViewOutcome {
    let request = try CallLimits.request(.appView, app, try CallLimits.body(method, args))
    var plan = RequestPlan(request, options: RequestOptions(timeout: options.timeout, retry: options.retry))
    plan.minSeq = options.minSeq
    if (options.consistency ?? core.options.consistency) == .session,
      let seen = await core.settings.position(of: app)
    {
      plan.minSeq = max(seen, options.minSeq ?? 0)
    }
    let response = try await core.engine.perform(request, plan: plan)
    let result: Components.Schemas.ViewResult = try response.decoded(for: request)
    await core.settings.saw(app, at: result.seq)
    return ViewOutcome(result: result.result, seq: result.seq)
  }

  /// Runs a view with arguments of a type of the app and answers its result with the position it read at.
  @_disfavoredOverload
  public func viewOutcome(
    _ app: String, _ method: String, _ args: some Encodable, options: ViewOptions = ViewOptions()
  ) async throws -> ViewOutcome {
    try await viewOutcome(app, method, try Self.arguments(args), options: options)
  }

  // MARK: Values

  private static func arguments(_ args: some Encodable) throws -> JSONValue {
    do {
      return try JSONValue(encoding: args)
    } catch {
      throw CalimeroError.invalidInput("the arguments cannot be written as JSON: \(error)")
    }
  }

  private static func read<T: Decodable>(_ value: JSONValue, of operation: APIOperation) throws -> T {
    do {
      return try value.decode(T.self)
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error, operation: operation.id))
    }
  }
}

/// What is checked of a call or view, and of a job or timer that will call, before anything is sent (70 §2.2).
enum CallLimits {
  static func isKey(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  static func check(key: String) throws(CalimeroError) {
    guard isKey(key) else {
      throw .invalidInput("an idempotency key is 1 to 64 characters of A-Z a-z 0-9 - and _.")
    }
  }

  private static func check(method: String) throws(CalimeroError) {
    guard (1...128).contains(method.count) else {
      throw .invalidInput("a method's name has 1 to 128 characters.")
    }
  }

  /// What names a method to run, now or later.
  private static let namingMethods: Set<APIOperation> = [.appCall, .appView, .appJobCreate, .appTimerCreate]

  /// The same of a request that the generated methods made.
  static func check(_ request: APIRequest) throws(CalimeroError) {
    if let key = request.idempotencyKey { try check(key: key) }
    guard let operation = request.operation, namingMethods.contains(operation), let body = request.body,
      let method = (try? JSONValue(parsing: body))?["method"]?.stringValue
    else { return }
    try check(method: method)
  }

  static func body(_ method: String, _ args: JSONValue) throws(CalimeroError) -> JSONObject {
    try check(method: method)
    guard args.objectValue != nil || args.arrayValue != nil else {
      throw .invalidInput("arguments are an object (by name) or an array (in order).")
    }
    return ["method": .string(method), "args": args]
  }

  static func request(
    _ operation: APIOperation, _ app: String, _ body: JSONObject, isKeyed: Bool = false
  ) throws(CalimeroError) -> APIRequest {
    let path: String
    do {
      path = try InnerPath.fill(operation.pathTemplate, with: [("app", app)])
    } catch {
      throw CalimeroError(error)
    }
    return APIRequest(
      operation: operation, method: operation.httpMethod, path: path,
      headers: ["accept": "application/json", "content-type": "application/json"],
      body: JSONValue.object(body).data(), isKeyed: isKeyed)
  }
}
