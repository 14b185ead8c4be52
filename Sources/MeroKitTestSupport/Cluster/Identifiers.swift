import Foundation
import MeroHTTP
import MeroWire

/// Makes ids and tokens from the cluster's clock and source of randomness (70 §2.2, §2.9).
struct IdMaker {
  private let random: MeroRandom
  private var lastTime: Int64 = -1
  private var lastTail: [UInt8] = []

  init(_ random: MeroRandom) {
    self.random = random
  }

  /// A prefix, an underscore and 26 characters: 48 bits of milliseconds, 80 random bits. Ids of one millisecond go up
  /// by one, so that they sort in the order they were made even while a test's clock stands still.
  mutating func id(_ prefix: String, at time: Int64) -> String {
    if time == lastTime {
      for index in lastTail.indices.reversed() {
        lastTail[index] &+= 1
        if lastTail[index] != 0 { break }
      }
    } else {
      lastTime = time
      lastTail = random.bytes(10)
    }
    let head = (0..<6).map { UInt8(truncatingIfNeeded: time >> (40 - 8 * Int64($0))) }
    return "\(prefix)_\(Self.crockford(head + lastTail))"
  }

  /// A prefix and 32 random bytes in base64url, 43 characters.
  func token(_ prefix: String) -> String {
    prefix + Base64URL.encode(random.bytes(32))
  }

  func bytes(_ count: Int) -> [UInt8] {
    random.bytes(count)
  }

  /// 128 bits as 26 digits of base 32, the first of which has three bits.
  private static func crockford(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 2
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(digits[Int(buffer >> UInt32(bits) & 31)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
