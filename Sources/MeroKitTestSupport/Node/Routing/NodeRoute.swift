import MeroHTTP

/// What a route takes as its body.
enum NodeBody: Sendable {
  /// Nothing; whatever comes is ignored.
  case ignored
  /// A JSON object with `Content-Type: application/json`; any other field than these is a 400.
  case strict([String])
  /// As `strict`, or nothing at all.
  case optional([String])
  /// A JSON object, refused by the framework in plain text: 415, 400, 422. Unknown fields are a 400 unless `open`.
  case plain([String], open: Bool = false)
  /// JSON that the handler reads by itself.
  case raw
  /// Bytes of any kind.
  case bytes
}

/// One row of the table of routes.
struct NodeRoute: Sendable {
  let method: HTTPMethod
  /// The path, with parameters in braces: `/admin-api/contexts/{context_id}`.
  let template: String
  let access: NodeAccess
  let body: NodeBody
  let handler: NodeHandler
  let segments: [Segment]

  enum Segment: Sendable, Hashable {
    case text(String)
    case parameter(String)
  }

  /// `access` in the words of the endpoint list, such as `token:context:list[{context_id}]`.
  init(
    _ method: HTTPMethod, _ template: String, _ access: String, body: NodeBody = .ignored,
    _ handler: @escaping NodeHandler
  ) {
    self.method = method
    self.template = template
    self.access = NodeAccess(access)
    self.body = body
    self.handler = handler
    segments = Self.segments(of: template)
  }

  /// `POST /admin-api/contexts`: how a test names the route.
  var name: String { "\(method.rawValue) \(template)" }

  private static func segments(of template: String) -> [Segment] {
    template.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
      guard part.hasPrefix("{"), part.hasSuffix("}") else { return .text(String(part)) }
      return .parameter(String(part.dropFirst().dropLast()))
    }
  }
}
