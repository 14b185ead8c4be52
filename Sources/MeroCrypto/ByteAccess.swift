import Foundation

// `ContiguousBytes` and `Array` rethrow untyped errors; these keep the type of the error that `body` throws.

func withBytes<R, E: Error>(
  _ bytes: some ContiguousBytes, _ body: (UnsafeRawBufferPointer) throws(E) -> R
) throws(E) -> R {
  let result: Result<R, E> = bytes.withUnsafeBytes { buffer in
    do throws(E) { return .success(try body(buffer)) } catch { return .failure(error) }
  }
  return try result.get()
}

func withBytes<R, E: Error>(
  _ first: some ContiguousBytes, _ second: some ContiguousBytes,
  _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(E) -> R
) throws(E) -> R {
  try withBytes(first) { (one: UnsafeRawBufferPointer) throws(E) -> R in
    try withBytes(second) { (two: UnsafeRawBufferPointer) throws(E) -> R in try body(one, two) }
  }
}

/// An array of `count` bytes that `fill` writes completely; they are not zeroed first.
func makeBytes<E: Error>(
  _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(E) -> Void
) throws(E) -> [UInt8] {
  var failure: E?
  // Room for one even when none is needed: all arrays without room share one storage, and this initializer writes to it.
  let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, initialized in
    do throws(E) {
      try fill(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
      initialized = count
    } catch {
      failure = error
    }
  }
  if let failure { throw failure }
  return bytes
}

extension UnsafeRawBufferPointer {
  func require(_ count: Int, _ name: String) throws(CryptoError) {
    if self.count != count { throw .wrongLength(name, count, self.count) }
  }
}
