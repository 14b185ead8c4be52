/// The 25 bytes in front of a sealed request: version, session, request id.
///
/// They authenticate the request and every frame of its response, so nothing sealed for one request opens as part of
/// another.
package struct EnvelopeHeader: Sendable, Hashable {
  package static let size = 25

  package let sessionId: [UInt8]
  package let requestId: UInt64
  package let bytes: [UInt8]

  package init(sessionId: [UInt8], requestId: UInt64) {
    precondition(sessionId.count == SealedProtocol.sessionIdSize, "a session id has 16 bytes")
    self.sessionId = sessionId
    self.requestId = requestId
    bytes = [SealedProtocol.version] + sessionId + requestId.bigEndianBytes
  }

  /// Reads the header of an envelope; `nil` when it is too short or of another version.
  package init?(of envelope: UnsafeRawBufferPointer) {
    guard envelope.count >= Self.size, envelope[0] == SealedProtocol.version else { return nil }
    bytes = [UInt8](envelope[..<Self.size])
    sessionId = [UInt8](envelope[1..<17])
    requestId = envelope[17..<25].reduce(0) { $0 << 8 | UInt64($1) }
  }

  package var requestNonce: [UInt8] {
    requestId.bigEndianBytes + [0, 0, 0, 0]
  }

  package func frameNonce(_ index: UInt32) -> [UInt8] {
    requestId.bigEndianBytes + index.bigEndianBytes
  }
}

extension FixedWidthInteger {
  /// The value's bytes, most significant first.
  package var bigEndianBytes: [UInt8] {
    withUnsafeBytes(of: bigEndian) { [UInt8]($0) }
  }
}
