import Foundation
import MeroAPI

/// How a file is cut into the parts of an upload.
struct BlobParts: Sendable {
  let upload: String
  /// The parts the node does not have yet, ascending.
  let missing: [Int]
  private let size: UInt64
  private let partSize: UInt64
  private let count: Int
  /// Parts of fewer bytes are small.
  private static let smallPart: UInt64 = 64 << 10
  /// More small parts than any upload needs.
  private static let manySmallParts: UInt64 = 1000

  /// Takes what a node says, as far as it can be worked with.
  init(_ upload: Components.Schemas.Upload, of size: UInt64) throws(CalimeroError) {
    let operation = APIOperation.appUploadBegin.id
    guard upload.size == size else {
      throw .decoding(DecodingFailure(path: "size", reason: "is not the file's", operation: operation))
    }
    // A part is held in memory and sent in one request.
    guard upload.partSize > 0, upload.partSize <= UInt64(BlobLimit.sealed) else {
      throw .decoding(DecodingFailure(path: "partSize", reason: "cannot be sent", operation: operation))
    }
    // Nor may a file become a request for every few bytes of it.
    guard upload.partSize >= Self.smallPart || size / upload.partSize < Self.manySmallParts else {
      throw .decoding(DecodingFailure(path: "partSize", reason: "is absurdly small", operation: operation))
    }
    let count = size / upload.partSize + (size % upload.partSize == 0 ? 0 : 1)
    guard upload.parts >= 0, UInt64(upload.parts) == count else {
      throw .decoding(DecodingFailure(path: "parts", reason: "does not fit the size", operation: operation))
    }
    let received = Set(upload.received)
    self.upload = upload.uploadId
    self.size = size
    self.count = Int(upload.parts)
    partSize = upload.partSize
    missing = (0..<self.count).filter { !received.contains(Int32($0)) }
  }

  /// The bytes of a part.
  func range(_ index: Int) -> Range<UInt64> {
    let start = UInt64(index) * partSize
    return start..<min(size, start + partSize)
  }

  /// The parts that a node says it lacks.
  func missing(in refusal: APIError) throws(CalimeroError) -> [Int] {
    let named = refusal.details?["missing"]?.arrayValue?.compactMap(\.int) ?? []
    let missing = Set(named).filter { (0..<count).contains($0) }
    guard !missing.isEmpty else { throw .api(refusal) }
    return missing.sorted()
  }
}
