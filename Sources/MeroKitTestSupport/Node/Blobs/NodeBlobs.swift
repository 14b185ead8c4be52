import Foundation
import MeroCrypto
import MeroWire

/// Bytes the node holds, or could fetch from the peers of a context.
struct NodeBlob: Sendable {
  let id: String
  let bytes: Data
  /// SHA-256 of the bytes, which the id is not.
  let hash: String
  /// The contexts it is held for; others are not served it.
  var contexts: Set<String> = []
}

struct NodeBlobs: Sendable {
  private static let chunkSize = 1 << 20
  private var local: [String: NodeBlob] = [:]
  private var order: [String] = []
  private var atPeers: [String: NodeBlob] = [:]

  /// Ids hash the ids of the chunks, a mebibyte each.
  static func id(of bytes: Data) -> String {
    var chunks = SHA256.Hasher()
    var rest = bytes[...]
    while !rest.isEmpty {
      chunks.update(SHA256.hash(rest.prefix(chunkSize)))
      rest = rest.dropFirst(chunkSize)
    }
    return Hex.encode(chunks.finalize())
  }

  /// Every blob on the node, in the order they came.
  var all: [NodeBlob] { order.compactMap { local[$0] } }

  subscript(id: String) -> NodeBlob? { local[id] }

  /// What a peer of the context holds.
  func atPeer(_ id: String, of context: String) -> NodeBlob? {
    atPeers[id].flatMap { $0.contexts.contains(context) ? $0 : nil }
  }

  /// The blob these bytes are, held for what it was held for before and for `context`.
  func blob(of bytes: Data, in context: String?) -> NodeBlob {
    Self.blob(of: bytes, in: context, among: local)
  }

  @discardableResult
  mutating func add(_ bytes: Data, in context: String?) -> NodeBlob {
    let blob = blob(of: bytes, in: context)
    keep(blob)
    return blob
  }

  @discardableResult
  mutating func addAtPeer(_ bytes: Data, in context: String) -> NodeBlob {
    let blob = Self.blob(of: bytes, in: context, among: atPeers)
    atPeers[blob.id] = blob
    return blob
  }

  /// Fetching from a peer leaves a copy here.
  mutating func keep(_ blob: NodeBlob) {
    if local[blob.id] == nil { order.append(blob.id) }
    local[blob.id] = blob
  }

  mutating func remove(_ id: String) {
    local[id] = nil
    order.removeAll { $0 == id }
  }

  private static func blob(of bytes: Data, in context: String?, among known: [String: NodeBlob]) -> NodeBlob {
    let id = id(of: bytes)
    var blob = known[id] ?? NodeBlob(id: id, bytes: bytes, hash: Hex.encode(SHA256.hash(bytes)))
    if let context { blob.contexts.insert(context) }
    return blob
  }
}

/// What bytes look like, from how they begin.
enum SniffedType {
  private static let beginnings: [(bytes: [UInt8], type: String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (Array("GIF8".utf8), "image/gif"), (Array("%PDF-".utf8), "application/pdf"),
    ([0x50, 0x4B, 0x03, 0x04], "application/zip"), ([0x1F, 0x8B], "application/gzip"),
    ([0x00, 0x61, 0x73, 0x6D], "application/wasm"),
  ]

  static func of(_ bytes: Data) -> String {
    beginnings.first { bytes.starts(with: $0.bytes) }?.type ?? "application/octet-stream"
  }
}
