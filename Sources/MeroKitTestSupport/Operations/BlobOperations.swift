import Foundation
import MeroHTTP
import MeroWire

// Files in an app's sealed storage (70 §2.18). They are the app's and not its code's, so they answer while it is upgraded.

extension ClusterState {
  static let blobHandlers: [String: Handler] = [
    "app_blob_list": { state, _, x in try state.listBlobs(x) },
    "app_blob_put": { state, store, x in try state.putBlob(x, store.blobBytes) },
    "app_blob_get": { state, _, x in try state.getBlob(x) },
    "app_blob_delete": { state, store, x in try state.deleteBlob(x, store.blobBytes) },
  ]

  private func listBlobs(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    _ = try x.fields()
    try requireReady(app, forView: true)
    let own = blobs.values.filter { $0.appId == app.id }
    return try list(
      "blobs", own, x, for: caller, by: { String(format: "%020llu", $0.number) }, isBefore: >, describe)
  }

  private func putBlob(_ x: Exchange, _ bytes: any BlobBytes) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .writer)
    _ = try x.fields()
    guard x.body.count <= limits.blobBytes else { throw Refusal.tooLarge(limits.blobBytes) }
    let hash = Hex.encode(x.bodyHash ?? [])
    if let declared = x.query["sha256"], declared != hash { throw Refusal.hashMismatch }
    try requireReady(app, forView: true)
    if let known = blobs[BlobRecord.id(hash, in: app.id)] {
      if let piece = x.kept { remove([piece], bytes) }
      return .answer(201, describe(known))
    }
    try requireWritable(app, at: x.now)
    try requireQuota(app.org, .storage(adding: UInt64(x.body.count), at: x.now))
    guard let piece = x.kept else { return .keep(newPiece(x)) }
    let blob = addBlob(
      hash, to: app, [piece], contentType: x.headers["content-type"], name: x.query["name"], by: caller, x)
    return .answer(201, describe(blob))
  }

  private func getBlob(_ x: Exchange) throws -> Outcome {
    let app = try usableApp(x, for: caller(x), as: .reader)
    guard let blob = blobs[BlobRecord.id(x.path["blob"] ?? "", in: app.id)] else {
      throw Refusal.notFound("file")
    }
    _ = try x.fields()
    try requireReady(app, forView: true)
    let all = 0..<blob.size
    let asked = try x.headers["range"].flatMap { try ByteRange.read($0, of: blob.size) }
    let range = asked ?? all
    // The type is the document's: a file's own, which anybody may have chosen, is told in listings.
    var headers: HTTPHeaders = ["accept-ranges": "bytes"]
    if asked != nil {
      headers["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(blob.size)"
    }
    return .pieces(asked == nil ? 200 : 206, headers, blob.pieces, range)
  }

  private func deleteBlob(_ x: Exchange, _ bytes: any BlobBytes) throws -> Outcome {
    let app = try usableApp(x, for: caller(x), as: .manager)
    _ = try x.fields()
    try requireReady(app, forView: true)
    if let blob = blobs.remove(BlobRecord.id(x.path["blob"] ?? "", in: app.id)) {
      countStorage(of: app.org, adding: -Int64(blob.size))
      remove(blob.pieces, bytes)
    }
    return .answer(204, nil)
  }

  /// Where the body's bytes go. Not by their hash: the bytes of a file that was deleted a moment ago are removed after the
  /// lock is given up, and must not take those of the same file with them that somebody put meanwhile.
  func newPiece(_ x: Exchange) -> BlobPiece {
    BlobPiece(name: ids.id("pce", at: x.now), size: x.body.count)
  }

  /// Makes bytes that are kept already a file of the app's.
  func addBlob(
    _ hash: String, to app: AppRecord, _ pieces: [BlobPiece], contentType: String?, name: String?,
    by caller: Caller, _ x: Exchange
  ) -> BlobRecord {
    lastBlobNumber += 1
    let blob = BlobRecord(
      appId: app.id, hash: hash, contentType: contentType ?? "application/octet-stream", name: name,
      createdAt: x.now, createdBy: caller.account.id,
      number: lastBlobNumber, pieces: pieces)
    blobs.insert(blob)
    countStorage(of: app.org, adding: Int64(blob.size))
    return blob
  }

  func describe(_ blob: BlobRecord) -> JSONValue {
    var json: JSONObject = [
      "blobId": .string(blob.hash), "size": JSONValue(blob.size), "contentType": .string(blob.contentType),
      "createdAt": JSONValue(blob.createdAt), "createdBy": .string(blob.createdBy),
    ]
    json["name"] = blob.name.map { .string($0) }
    return .object(json)
  }

  /// Drops all files of an app and all that are on their way to it, as when the app is deleted.
  func removeFiles(of app: AppRecord) {
    for blob in blobs.values.filter({ $0.appId == app.id }) {
      blobs.remove(blob.id)
      countStorage(of: app.org, adding: -Int64(blob.size))
      remove(blob.pieces, blobBytes)
    }
    for upload in uploads.values.filter({ $0.appId == app.id }) { drop(upload, blobBytes) }
  }

  /// Drops bytes that no record names any more, once that is written down: a process that ends before must find them.
  func remove(_ pieces: some Sequence<BlobPiece>, _ bytes: any BlobBytes) {
    let names = pieces.map(\.name)
    onceKept { for name in names { try? bytes.remove(name) } }
  }
}

extension Refusal {
  static let hashMismatch = Refusal(
    422, "HASH_MISMATCH", "the bytes do not have the hash that was declared")
}
