import Foundation
import MeroCrypto

/// The client's half of a handshake as bytes in and bytes out, apart from the HTTP around it (50 §1.3).
package struct ClientHandshake {
  package let requestBody: Data
  private var noise: NoiseInitiator

  /// Throws `malformedReply` when the key is not one anybody can agree a secret with.
  package init(transportKey: [UInt8], ephemeral: X25519.PrivateKey, tracing: Bool = false) throws(SealedError)
  {
    guard transportKey.count == SealedProtocol.keySize else {
      throw .malformedReply("the transport key is not 32 bytes")
    }
    noise = NoiseInitiator(responderKey: transportKey, ephemeral: ephemeral, tracing: tracing)
    do {
      requestBody = Data([SealedProtocol.version] + transportKey + (try noise.writeMessage1()))
    } catch {
      throw .malformedReply("the transport key is not usable")
    }
  }

  package var trace: [NoiseStep: [UInt8]] { noise.trace }

  /// What the node answered.
  package struct Result: Sendable {
    package let sessionId: [UInt8]
    package let lifetime: UInt32
    package let keys: NoiseKeys
  }

  /// Reads the reply. Its form is checked before its seal, so that a proxy's page is not taken for an attack.
  package mutating func read(_ reply: Data) throws(SealedError) -> Result {
    let messageSize = SealedProtocol.keySize + SealedProtocol.handshakePayloadSize + SealedProtocol.tagSize
    guard reply.first == SealedProtocol.version else {
      throw .malformedReply("the handshake reply's version")
    }
    guard reply.count == 1 + messageSize else { throw .malformedReply("the handshake reply's length") }
    let opened: (payload: [UInt8], keys: NoiseKeys)
    do {
      opened = try noise.readMessage2(reply.dropFirst())
    } catch {
      switch error {
      case .didNotOpen: throw .notTheAttestedNode
      case .lowOrderKey, .tooShort: throw .malformedReply("the node's ephemeral key")
      case .cryptography(let error): throw .malformedReply(error.description)
      }
    }
    let payload = opened.payload
    return Result(
      sessionId: [UInt8](payload.prefix(SealedProtocol.sessionIdSize)),
      lifetime: payload.dropFirst(SealedProtocol.sessionIdSize).reduce(0) { $0 << 8 | UInt32($1) },
      keys: opened.keys)
  }
}
