import Foundation
import MeroWire

// Files that are larger than one request may carry come in parts, in any order, and go on after an interruption
// (70 §2.18).

extension ClusterState {
  static let uploadHandlers: [String: Handler] = [
    "app_upload_begin": { state, store, x in try state.beginUpload(x, store.blobBytes) },
    "app_upload_part": { state, store, x in try state.takePart(x, store.blobBytes) },
    "app_upload_finish": { state, store, x in try state.finishUpload(x, store.blobBytes) },
  ]

  /// How long an upload waits for its parts.
  private static let uploadLifetime: Int64 = 24 * 3_600_000

  private func beginUpload(_ x: Exchange, _ bytes: any BlobBytes) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .writer)
    let fields = try x.fields()
    let hash = fields["sha256"]?.stringValue ?? ""
    guard let size = fields["size"]?.int, size / limits.partBytes < Int(Int32.max) else {
      throw Refusal.invalidArgument("size", "is more than this cluster takes")
    }
    try requireReady(app, forView: true)
    try requireWritable(app, at: x.now)
    for upload in uploads.values where upload.expiresAt <= x.now { drop(upload, bytes) }
    let begun = uploads.values.first {
      $0.appId == app.id && $0.account == caller.account.id && $0.hash == hash && $0.size == size
        && !$0.isFinished
    }
    let upload =
      begun
      ?? UploadRecord(
        id: ids.id("upl", at: x.now), appId: app.id, account: caller.account.id, hash: hash, size: size,
        partSize: limits.partBytes,
        contentType: fields["contentType"]?.stringValue ?? "application/octet-stream",
        name: fields["name"]?.stringValue, expiresAt: x.now)
    let isKnown = blobs[BlobRecord.id(hash, in: app.id)]?.size == size
    if begun == nil {
      // What is let begin may end: its size is taken from now on.
      if !isKnown { try requireQuota(app.org, .storage(adding: UInt64(size), at: x.now)) }
      uploads.insert(upload)
    }
    upload.expiresAt = x.now + Self.uploadLifetime
    // Whoever may write to an app may read it: what it holds already need not be sent again.
    if isKnown { complete(upload, bytes) }
    return .answer(201, describe(upload))
  }

  private func takePart(_ x: Exchange, _ bytes: any BlobBytes) throws -> Outcome {
    let caller = try caller(x)
    let (app, upload) = try usableApp(x, for: caller, as: .writer) { app in
      try self.upload(x, of: caller, to: app, bytes)
    }
    _ = try x.fields()
    guard let index = Int(x.path["index"] ?? ""), (0..<upload.parts).contains(index) else {
      throw Refusal.invalidArgument("index", "is no part of this upload")
    }
    guard x.body.count <= upload.partSize else { throw Refusal.tooLarge(upload.partSize) }
    let size = upload.size(ofPart: index)
    guard x.body.count == size else {
      throw Refusal.invalidArgument("body", "has \(x.body.count) bytes, and part \(index) has \(size)")
    }
    try requireReady(app, forView: true)
    // A part that was held up on the way may come after the end.
    if upload.isFinished {
      if let piece = x.kept { remove([piece], bytes) }
      return .answer(200, describe(upload))
    }
    try requireWritable(app, at: x.now)
    guard let piece = x.kept else { return .keep(newPiece(x)) }
    if let replaced = upload.received.updateValue(piece, forKey: index) { remove([replaced], bytes) }
    return .answer(200, describe(upload))
  }

  private func finishUpload(_ x: Exchange, _ bytes: any BlobBytes) throws -> Outcome {
    let caller = try caller(x)
    let (app, upload) = try usableApp(x, for: caller, as: .writer) { app in
      try self.upload(x, of: caller, to: app, bytes)
    }
    _ = try x.fields()
    try requireReady(app, forView: true)
    let known = blobs[BlobRecord.id(upload.hash, in: app.id)]
    if upload.isFinished, let known { return .answer(201, describe(known)) }
    try requireWritable(app, at: x.now)
    let missing = (0..<upload.parts).filter { upload.received[$0] == nil }
    guard missing.isEmpty else {
      throw Refusal(
        409, "UPLOAD_INCOMPLETE", "\(missing.count) of \(upload.parts) parts are missing",
        details: ["missing": .array(missing.map { JSONValue($0) })])
    }
    let pieces = (0..<upload.parts).compactMap { upload.received[$0] }
    // What was hashed may have been replaced since.
    guard let hashed = x.hashed, hashed.pieces == pieces else { return .hash(pieces) }
    guard Hex.encode(hashed.hash) == upload.hash else {
      // Which part is wrong nobody can tell, so none of them is of use.
      drop(upload, bytes)
      throw Refusal.hashMismatch
    }
    let blob =
      known
      ?? addBlob(
        upload.hash, to: app, pieces, contentType: upload.contentType, name: upload.name, by: caller, x)
    complete(upload, bytes)
    return .answer(201, describe(blob))
  }

  /// An upload of the caller's own to this app. Throws 404 for any other.
  private func upload(
    _ x: Exchange, of caller: Caller, to app: AppRecord, _ bytes: any BlobBytes
  ) throws -> UploadRecord {
    guard let upload = uploads[x.path["upload"] ?? ""], upload.appId == app.id,
      upload.account == caller.account.id
    else { throw Refusal.notFound("upload") }
    let isGone = upload.isFinished && blobs[BlobRecord.id(upload.hash, in: app.id)] == nil
    guard x.now < upload.expiresAt, !isGone else {
      drop(upload, bytes)
      throw Refusal.notFound("upload")
    }
    return upload
  }

  /// The app holds the file: what came in parts is its own now, or was not needed.
  private func complete(_ upload: UploadRecord, _ bytes: any BlobBytes) {
    let used = Set(blobs[BlobRecord.id(upload.hash, in: upload.appId)]?.pieces ?? [])
    remove(upload.received.values.filter { !used.contains($0) }, bytes)
    upload.received = [:]
    upload.isFinished = true
  }

  func drop(_ upload: UploadRecord, _ bytes: any BlobBytes) {
    uploads.remove(upload.id)
    remove(upload.received.values, bytes)
  }

  private func describe(_ upload: UploadRecord) -> JSONValue {
    let received = upload.isFinished ? Array(0..<upload.parts) : upload.received.keys.sorted()
    return [
      "uploadId": .string(upload.id), "size": JSONValue(upload.size), "partSize": JSONValue(upload.partSize),
      "parts": JSONValue(upload.parts), "received": .array(received.map { JSONValue($0) }),
      "expiresAt": JSONValue(upload.expiresAt),
    ]
  }
}
