import Foundation
import MeroCrypto
import MeroHTTP

/// What a signature for one request is bound to: cluster, time, and every byte that decides what runs.
///
/// Confirmations and operator signatures share this form (70 §2.11, §2.12), so a signature given for one
/// request can never be spent on another.
struct RequestStatement: Hashable {
  let method: String
  let innerPath: String
  let bodyHash: [UInt8]

  init(method: String, innerPath: String, body: Data?) {
    self.method = method.uppercased()
    self.innerPath = innerPath
    bodyHash = SHA256.hash(body ?? Data())
  }

  func bytes(domain: String, clusterId: [UInt8], times: [Int64], nonce: [UInt8]) -> [UInt8] {
    var bytes = Array(domain.utf8) + clusterId
    for time in times { bytes += littleEndian(UInt64(bitPattern: time)) }
    return bytes + nonce + string(method) + string(innerPath) + bodyHash
  }

  private func string(_ text: String) -> [UInt8] {
    littleEndian(UInt32(text.utf8.count)) + Array(text.utf8)
  }

  private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
