import MeroWire

/// A file in an app's sealed storage (70 §2.18).
final class BlobRecord: Record {
  let appId: String
  /// SHA-256 of its bytes, lower-case hex.
  let hash: String
  let contentType: String
  let name: String?
  let createdAt: Int64
  let createdBy: String
  /// Counts the cluster's files, so that those of one millisecond have an order too.
  let number: UInt64
  /// Where its bytes are.
  let pieces: [BlobPiece]

  var size: Int { pieces.reduce(0) { $0 + $1.size } }

  /// An id is a hash, and two apps may hold the same file.
  static func id(_ hash: String, in app: String) -> String { "\(app)/\(hash)" }

  init(
    appId: String, hash: String, contentType: String, name: String?, createdAt: Int64, createdBy: String,
    number: UInt64, pieces: [BlobPiece]
  ) {
    self.appId = appId
    self.hash = hash
    self.contentType = contentType
    self.name = name
    self.createdAt = createdAt
    self.createdBy = createdBy
    self.number = number
    self.pieces = pieces
    super.init(id: Self.id(hash, in: appId))
  }

  override class var table: String { "blobs" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "appId": .string(appId), "hash": .string(hash), "contentType": .string(contentType),
      "createdAt": JSONValue(createdAt), "createdBy": .string(createdBy), "number": JSONValue(number),
      "pieces": .array(pieces.map(\.written)),
    ]
    row["name"] = name.map { .string($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    appId = try row.string("appId")
    hash = try row.string("hash")
    contentType = try row.string("contentType")
    name = row.optional("name")?.stringValue
    createdAt = try row.time("createdAt")
    createdBy = try row.string("createdBy")
    number = try row.count("number")
    pieces = try row.list("pieces") { BlobPiece($0) }
    super.init(id: row.id)
  }
}

/// A file on its way in parts.
final class UploadRecord: Record {
  let appId: String
  let account: String
  let hash: String
  let size: Int
  let partSize: Int
  let contentType: String
  let name: String?
  var expiresAt: Int64 { didSet { changed() } }
  /// What is there, by the parts' indexes.
  var received: [Int: BlobPiece] = [:] { didSet { changed() } }
  /// Whether the file is among the app's, so that the parts need not be sent.
  var isFinished = false { didSet { changed() } }

  var parts: Int { (size + partSize - 1) / partSize }

  /// How long a part is.
  func size(ofPart index: Int) -> Int { min(partSize, size - index * partSize) }

  init(
    id: String, appId: String, account: String, hash: String, size: Int, partSize: Int, contentType: String,
    name: String?, expiresAt: Int64
  ) {
    self.appId = appId
    self.account = account
    self.hash = hash
    self.size = size
    self.partSize = partSize
    self.contentType = contentType
    self.name = name
    self.expiresAt = expiresAt
    super.init(id: id)
  }

  override class var table: String { "uploads" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "appId": .string(appId), "account": .string(account), "hash": .string(hash), "size": JSONValue(size),
      "partSize": JSONValue(partSize), "contentType": .string(contentType), "expiresAt": JSONValue(expiresAt),
      "isFinished": .bool(isFinished),
      "received": .array(
        received.sorted { $0.key < $1.key }.map { ["index": JSONValue($0.key), "piece": $0.value.written] }),
    ]
    row["name"] = name.map { .string($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    appId = try row.string("appId")
    account = try row.string("account")
    hash = try row.string("hash")
    size = Int(try row.integer("size"))
    partSize = Int(try row.integer("partSize"))
    contentType = try row.string("contentType")
    name = row.optional("name")?.stringValue
    expiresAt = try row.integer("expiresAt")
    isFinished = try row.bool("isFinished")
    let parts = try row.list("received") { part -> (Int, BlobPiece)? in
      guard let index = part["index"]?.int, let piece = part["piece"] else { return nil }
      return BlobPiece(piece).map { (index, $0) }
    }
    received = Dictionary(parts) { $1 }
    super.init(id: row.id)
  }
}

extension BlobPiece {
  fileprivate var written: JSONValue { ["name": .string(name), "size": JSONValue(size)] }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.stringValue, let size = json["size"]?.int else { return nil }
    self.init(name: name, size: size)
  }
}

extension RecordRow {
  /// The items of an array, each read by `read`.
  fileprivate func list<Item>(_ name: String, _ read: (JSONValue) throws -> Item?) throws -> [Item] {
    guard let items = try json(name).arrayValue else { throw damage(name) }
    return try items.map { item in
      guard let value = try read(item) else { throw damage(name) }
      return value
    }
  }
}
