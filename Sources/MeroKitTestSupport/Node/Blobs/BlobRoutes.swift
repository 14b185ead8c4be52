import Foundation
import MeroHTTP
import MeroWire

/// 10 §6, 20 §5.11.
enum BlobRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.put, "/admin-api/blobs", "token:blob:add:stream", body: .bytes, upload),
    NodeRoute(.get, "/admin-api/blobs", "token:blob:list", list),
    NodeRoute(.get, "/admin-api/blobs/{blob_id}", "token:blob:get[{blob_id}]", download),
    NodeRoute(.head, "/admin-api/blobs/{blob_id}", "token:blob:get[{blob_id}]", info),
    NodeRoute(.delete, "/admin-api/blobs/{blob_id}", "token:blob:remove[{blob_id}]", delete),
  ]

  private static let upload: NodeHandler = { state, exchange in
    let expected = try id("hash", in: exchange)
    let context = try id("context_id", in: exchange)
    guard exchange.body.count <= NodeBodyReader.bytesLimit else {
      throw NodeRefusal(500, "Failed to store blob: blob is too large")
    }
    if let context { try checkBinding(context, exchange) }
    let held = context.flatMap { state.contexts[$0]?.isJoined == true ? $0 : nil }
    // The hash is known only once everything was read, so a mismatch is the node's own failure to store.
    let blob = state.blobs.blob(of: exchange.body, in: held)
    guard expected == nil || expected == blob.hash else {
      throw NodeRefusal(500, "Failed to store blob: fatal: blob hash mismatch")
    }
    state.blobs.keep(blob)
    if let held { state.publish(.blob(exchange.body, context: held)) }
    return .data(json(blob))
  }

  private static let list: NodeHandler = { state, _ in
    .data(["blobs": .array(state.blobs.all.map(json))])
  }

  private static let download: NodeHandler = { state, exchange in
    let (blob, isLocal) = try find(exchange, state)
    if !isLocal { state.blobs.keep(blob) }
    return .bytes(blob.bytes, headers: headers(of: blob, isLocal: isLocal))
  }

  private static let info: NodeHandler = { state, exchange in
    let (blob, isLocal) = try find(exchange, state)
    guard isLocal else {
      // Nobody transferred it, so the node knows what its peer says: a size.
      return .head([
        "content-length": "\(blob.bytes.count)", "x-blob-id": blob.id, "x-blob-source": "peer",
        "cache-control": "private, no-cache",
      ])
    }
    return .head(headers(of: blob, isLocal: true))
  }

  private static let delete: NodeHandler = { state, exchange in
    let id = exchange["blob_id"]
    guard state.blobs[id] != nil else { throw NodeRefusal.notFound("Blob") }
    guard !state.applications.needs(blob: id) else {
      throw NodeRefusal(403, "the blob belongs to an installed application")
    }
    state.blobs.remove(id)
    return .flat(["blob_id": .string(id), "deleted": true])
  }

  private static func find(
    _ exchange: NodeExchange, _ state: NodeState
  ) throws(NodeRefusal) -> (NodeBlob, isLocal: Bool) {
    let context = try id("context_id", in: exchange)
    if let context { try checkBinding(context, exchange) }
    if let blob = state.blobs[exchange["blob_id"]] { return (blob, true) }
    if let context, let blob = state.blobs.atPeer(exchange["blob_id"], of: context) { return (blob, false) }
    throw NodeRefusal(404, "Blob not found locally or in network")
  }

  private static func id(_ name: String, in exchange: NodeExchange) throws(NodeRefusal) -> String? {
    guard let text = exchange.query[name] else { return nil }
    guard let id = NodeId.read(text) else {
      throw NodeRefusal(400, "Invalid \(name): expected 64 hex characters")
    }
    return id
  }

  private static func checkBinding(_ context: String, _ exchange: NodeExchange) throws(NodeRefusal) {
    guard exchange.caller.mayUse(context: context) else { throw .guarding(403, "permission_denied") }
  }

  private static func json(_ blob: NodeBlob) -> JSONValue {
    ["blob_id": .string(blob.id), "size": JSONValue(blob.bytes.count)]
  }

  private static func headers(of blob: NodeBlob, isLocal: Bool) -> HTTPHeaders {
    let type = SniffedType.of(blob.bytes)
    return [
      "content-length": "\(blob.bytes.count)", "content-type": type, "etag": "\"\(blob.hash)\"",
      "x-blob-id": blob.id, "x-blob-hash": blob.hash, "x-blob-mime-type": type,
      "x-blob-source": isLocal ? "local" : "peer", "cache-control": "private, no-cache",
    ]
  }
}
