// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Operations {
  /// Stream events.
  ///
  /// Events as they happen, as server-sent events inside the sealed response. Without a cursor it begins now;
  /// the cursor oldest begins with the oldest event kept. The first event is always calimero.ready, whose
  /// cursor is where the stream begins.
  ///
  /// `GET /apps/{app}/events/stream`
  ///
  /// An API key needs `apps:events`.
  ///
  /// Its answer is a stream, so it has no output here and no method of `Client`.
  public enum AppEventStream {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The app's id.
        public var app: String

        /// Creates them; what is left out is not sent.
        public init(app: String) {
          self.app = app
        }
      }

      /// The parameters in the query.
      public struct Query: Sendable {
        /// Where to go on: the nextCursor of the page before.
        ///
        /// At most 256 characters.
        public var cursor: String?
        /// Only these kinds, comma-separated. calimero.ready and calimero.reset always come.
        public var kinds: String?
        /// Whether presence comes too, as calimero.presence events.
        ///
        /// Left out it is `false`.
        public var presence: Bool?

        /// Creates them; what is left out is not sent.
        public init(cursor: String? = nil, kinds: String? = nil, presence: Bool? = nil) {
          self.cursor = cursor
          self.kinds = kinds
          self.presence = presence
        }
      }

      /// The parameters in the path.
      public var path: Path
      /// The parameters in the query.
      public var query: Query

      /// Creates an input.
      public init(path: Path, query: Query = .init()) {
        self.path = path
        self.query = query
      }
    }
  }
}

extension APIOperation {
  /// Stream events.
  public static let appEventStream = APIOperation(
    id: "app_event_stream",
    group: "apps",
    name: "eventStream",
    httpMethod: .get,
    pathTemplate: "/apps/{app}/events/stream",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["apps:events"],
    isStream: true,
    tier: 1,
    errorCodes: ["CURSOR_EXPIRED", "INVALID_CURSOR", "NOT_FOUND"]
  )
}

extension Operations.AppEventStream.Input: OperationInput {
  package static var operation: APIOperation { .appEventStream }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app)]
    let items: [(String, String?)] = [
      ("cursor", query.cursor),
      ("kinds", query.kinds),
      ("presence", query.presence?.description),
    ]
    return try APIRequest(.appEventStream, path: segments, query: items, accept: "text/event-stream")
  }
}
