/// An API document as the generator understands it: the subset of OpenAPI 3.1 that 70 §2.23 names, and nothing else.
struct Document {
  var schemas: [Schema]
  var refusals: [Refusal]
  var operations: [Operation]
  var groups: [Group]
  var errorCodes: [ErrorCode]
  var scopes: [Word]
  var eventKinds: [Word]

  func schema(_ name: String) -> Schema? { schemas.first { $0.name == name } }
}

/// A named schema.
struct Schema {
  enum Kind {
    case structure([Field])
    case words([Word])
    case anyValue
    case text
  }
  var name: String
  var documentation: String
  var kind: Kind
}

/// A property of a structure or of a request body.
struct Field {
  var name: String
  var documentation: [String]
  var type: TypeReference
  var isRequired: Bool

  var swiftName: String { SwiftName.lowerCamel(name) }
}

/// What a field, a parameter or an item is.
indirect enum TypeReference: Hashable {
  case string, bool, int32, int64, uint64, double
  case array(TypeReference)
  case named(String)

  /// The named schema it speaks of, through arrays.
  var name: String? {
    switch self {
    case .named(let name): return name
    case .array(let item): return item.name
    default: return nil
    }
  }
}

/// A word with what it means.
struct Word {
  var value: String
  var documentation: String
}

/// An entry of the table of error codes.
struct ErrorCode {
  var code: String
  var status: Int
  var documentation: String
  var ran: String
}

/// A group of operations and the property it is in the facade.
struct Group {
  var name: String
  var facade: String
}

/// A refusal that operations share: an entry of `components.responses`.
struct Refusal {
  var name: String
  var documentation: String
  var schema: String
  var details: String?

  var caseName: String { SwiftName.lowerCamel(name) }
}

struct Parameter {
  enum Location: String {
    case path, query, header
  }
  var name: String
  var location: Location
  var documentation: [String]
  var type: TypeReference
  var isRequired: Bool

  var swiftName: String { SwiftName.parameter(name) }
  /// The answer to a 412 or a 428, which the facade never asks its caller for.
  var isProof: Bool { name == "x-calimero-confirm" || name == "x-calimero-operator-signature" }
}

enum RequestBody {
  case json(documentation: String, fields: [Field])
  case binary(documentation: String)
}

struct Success {
  enum Content: Hashable {
    case none, binary, stream
    case json(String)
  }
  var status: Int
  var documentation: String
  var content: Content

  var caseName: String { Success.names[status] ?? "" }
  var typeName: String { SwiftName.capitalized(caseName) }

  static let names: [Int: String] = [
    200: "ok", 201: "created", 202: "accepted", 204: "noContent", 206: "partialContent",
  ]
}

struct Operation {
  enum RetrySafety: Equatable {
    case always, never
    case field(String)
  }
  var id: String
  var group: String
  var method: String
  var httpMethod: String
  var path: String
  var summary: String
  var documentation: String
  var parameters: [Parameter]
  var body: RequestBody?
  var successes: [Success]
  /// Status and name of each refusal.
  var refusals: [(status: Int, name: String)]
  var retrySafety: RetrySafety
  var stepUp: String?
  var stepUpWhen: String?
  var needsOperatorSignature: Bool
  var acceptsSession: Bool
  var acceptsApiKey: Bool
  var scopes: [String]
  var isStream: Bool
  var isUnsealed: Bool
  var isDeprecated: Bool
  var tier: Int
  var errorCodes: [String]

  var typeName: String { SwiftName.upperCamel(id) }
  var memberName: String { SwiftName.lowerCamel(id) }

  func parameters(in location: Parameter.Location) -> [Parameter] {
    parameters.filter { $0.location == location }
  }

  var jsonFields: [Field]? {
    if case .json(_, let fields) = body { return fields }
    return nil
  }

  var content: Success.Content { successes.first?.content ?? .none }
}
