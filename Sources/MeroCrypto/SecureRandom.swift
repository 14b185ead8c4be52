/// Bytes from the operating system's generator: `getrandom` on Linux, `arc4random_buf` on Apple. Both never fail.
package enum SecureRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return makeBytes(count) { buffer in
      for start in stride(from: 0, to: count, by: 8) {
        withUnsafeBytes(of: generator.next()) { random in
          let length = min(8, count - start)
          UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + length])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: random[..<length]))
        }
      }
    }
  }
}
