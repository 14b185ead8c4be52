/// The fixed parts of sealed transport v2 (50 §1.2).
package enum SealedProtocol {
  package static let version: UInt8 = 2
  /// Both paths are relative to a node's base URL.
  package static let handshakePath = "/sealed/v2/handshake"
  package static let exchangePath = "/sealed/v2"
  /// Compared exactly, without parameters, in both directions.
  package static let contentType = "application/vnd.calimero.sealed"
  package static let noiseName = "Noise_NK_25519_AESGCM_SHA256"
  package static let prologue = "calimero/sealed-http/v2"

  package static let keySize = 32
  package static let sessionIdSize = 16
  package static let tagSize = 16
  package static let handshakeRequestSize = 1 + keySize + keySize + tagSize
  package static let handshakePayloadSize = sessionIdSize + 4
  package static let handshakeReplyLimit = 1024
  package static let envelopeLimit = 64 << 20
  package static let frameDataLimit = 65_536
  /// Kind, data and tag: what a frame's length prefix may say at most.
  package static let frameLengthLimit = 1 + frameDataLimit + tagSize
  /// A frame holds at least its kind.
  package static let frameLengthMinimum = 1 + tagSize
  package static let refusalBodyLimit = 64 << 10

  /// A response with one of these statuses has no body.
  package static func hasNoBody(_ status: Int) -> Bool {
    status == 101 || status == 204 || status == 205 || status == 304
  }
}
