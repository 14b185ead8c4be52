import Foundation

/// AES-256-GCM with 12-byte nonces and 16-byte tags; a sealed message is `ciphertext || tag`.
///
/// Keep the value for as long as the key is used: it keeps the expanded key. It may be used from many tasks at once.
/// A nonce must never be used twice with one key; that is the caller's duty.
package struct AESGCM: Sendable {
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = 16

  private let key: AESGCMKey

  package init(key: some ContiguousBytes) throws(CryptoError) {
    self.key = try withBytes(key) { (key: UnsafeRawBufferPointer) throws(CryptoError) -> AESGCMKey in
      try key.require(AESGCM.keySize, "an AES-256 key")
      return AESGCMKey(key)
    }
  }

  /// Seals into `output`, which holds exactly `plaintext.count + 16` bytes and may start where `plaintext` starts.
  package func seal(
    _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
    authenticating header: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    try nonce.require(AESGCM.nonceSize, "an AES-GCM nonce")
    precondition(
      output.count == plaintext.count + AESGCM.tagSize, "the output must hold the message and its tag")
    try key.seal(plaintext, nonce: nonce, authenticating: header, into: output)
  }

  /// Opens into `output`, which holds exactly `sealed.count - 16` bytes and may start where `sealed` starts.
  /// After a failure `output` is all zero: nothing of an unauthenticated plaintext is left in it.
  package func open(
    _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
    authenticating header: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    try nonce.require(AESGCM.nonceSize, "an AES-GCM nonce")
    guard sealed.count >= AESGCM.tagSize else { throw .authenticationFailed }
    precondition(output.count == sealed.count - AESGCM.tagSize, "the output must hold exactly the message")
    try key.open(sealed, nonce: nonce, authenticating: header, into: output)
  }

  package func seal(
    _ plaintext: some ContiguousBytes, nonce: some ContiguousBytes,
    authenticating header: some ContiguousBytes
  ) throws(CryptoError) -> [UInt8] {
    try withMessage(plaintext, nonce, header) { (message: Message) throws(CryptoError) -> [UInt8] in
      try makeBytes(message.text.count + AESGCM.tagSize) {
        (output: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        try seal(message.text, nonce: message.nonce, authenticating: message.header, into: output)
      }
    }
  }

  package func open(
    _ sealed: some ContiguousBytes, nonce: some ContiguousBytes, authenticating header: some ContiguousBytes
  ) throws(CryptoError) -> [UInt8] {
    try withMessage(sealed, nonce, header) { (message: Message) throws(CryptoError) -> [UInt8] in
      guard message.text.count >= AESGCM.tagSize else { throw .authenticationFailed }
      return try makeBytes(message.text.count - AESGCM.tagSize) {
        (output: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        try open(message.text, nonce: message.nonce, authenticating: message.header, into: output)
      }
    }
  }

  package func sealData(
    _ plaintext: some ContiguousBytes, nonce: some ContiguousBytes,
    authenticating header: some ContiguousBytes
  ) throws(CryptoError) -> Data {
    try withMessage(plaintext, nonce, header) { (message: Message) throws(CryptoError) -> Data in
      try makeData(message.text.count + AESGCM.tagSize) {
        (output: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        try seal(message.text, nonce: message.nonce, authenticating: message.header, into: output)
      }
    }
  }

  package func openData(
    _ sealed: some ContiguousBytes, nonce: some ContiguousBytes, authenticating header: some ContiguousBytes
  ) throws(CryptoError) -> Data {
    try withMessage(sealed, nonce, header) { (message: Message) throws(CryptoError) -> Data in
      guard message.text.count >= AESGCM.tagSize else { throw .authenticationFailed }
      return try makeData(message.text.count - AESGCM.tagSize) {
        (output: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        try open(message.text, nonce: message.nonce, authenticating: message.header, into: output)
      }
    }
  }

  private struct Message {
    let text: UnsafeRawBufferPointer
    let nonce: UnsafeRawBufferPointer
    let header: UnsafeRawBufferPointer
  }

  private func withMessage<R>(
    _ text: some ContiguousBytes, _ nonce: some ContiguousBytes, _ header: some ContiguousBytes,
    _ body: (Message) throws(CryptoError) -> R
  ) throws(CryptoError) -> R {
    try withBytes(text, nonce) {
      (text: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer) throws(CryptoError) -> R in
      try withBytes(header) { (header: UnsafeRawBufferPointer) throws(CryptoError) -> R in
        try body(Message(text: text, nonce: nonce, header: header))
      }
    }
  }

  /// Data over memory that `fill` writes completely: neither zeroed first nor copied afterwards.
  private func makeData(
    _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Void
  ) throws(CryptoError) -> Data {
    guard count > 0, let memory = malloc(count) else {
      try fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      return Data()
    }
    do throws(CryptoError) {
      try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
    } catch {
      free(memory)
      throw error
    }
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }
}
