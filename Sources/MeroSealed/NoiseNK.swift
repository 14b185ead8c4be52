import Foundation
import MeroCrypto

/// The two keys that a handshake ends with.
package struct NoiseKeys: Sendable, Hashable {
  /// Client to node.
  package let request: [UInt8]
  /// Node to client.
  package let response: [UInt8]
}

/// Why a handshake message is not taken.
package enum NoiseError: Error, Sendable, Hashable {
  case tooShort
  /// The peer sent a key with which the secret would be zero, known to everybody.
  case lowOrderKey
  case didNotOpen
  case cryptography(CryptoError)

  init(_ error: CryptoError) {
    switch error {
    case .authenticationFailed: self = .didNotOpen
    case .lowOrderPoint: self = .lowOrderKey
    default: self = .cryptography(error)
    }
  }
}

/// The values a handshake passes through, named as the test vectors name them.
package enum NoiseStep: String, Sendable, Hashable, CaseIterable {
  case initialHash = "h_initial"
  case prologueHash = "h_after_prologue"
  case responderKeyHash = "h_after_premessage_s"
  case ephemeralHash = "h_after_e"
  case staticSecret = "dh_es"
  case staticChainingKey = "ck_after_es"
  case firstKey = "k_message1"
  case firstMessageHash = "h_after_message1"
  case ephemeralSecret = "dh_ee"
  case ephemeralChainingKey = "ck_after_ee"
  case secondKey = "k_message2"
  case replyHash = "h_before_payload2"
  case handshakeHash = "handshake_hash"
}

/// The client's side of `Noise_NK_25519_AESGCM_SHA256`: it knows the responder's static key beforehand.
///
/// ```swift
/// var noise = try NoiseInitiator(responderKey: attested, ephemeral: ephemeral)
/// let message = try noise.writeMessage1()
/// let (payload, keys) = try noise.readMessage2(reply)
/// ```
package struct NoiseInitiator {
  private var state: NoiseState
  private let responderKey: [UInt8]
  private let ephemeral: X25519.PrivateKey

  /// `tracing` keeps every intermediate value, secrets included; only for comparing with vectors.
  package init(responderKey: [UInt8], ephemeral: X25519.PrivateKey, tracing: Bool = false) {
    self.responderKey = responderKey
    self.ephemeral = ephemeral
    state = NoiseState(responderKey: responderKey, tracing: tracing)
  }

  package var trace: [NoiseStep: [UInt8]] { state.trace ?? [:] }

  /// `-> e, es` without a payload: data sent here would have no forward secrecy.
  package mutating func writeMessage1() throws(NoiseError) -> [UInt8] {
    state.mixEphemeral(ephemeral.publicKey)
    try state.mixStatic(secret(with: responderKey))
    return ephemeral.publicKey + (try state.sealFirst([]))
  }

  /// `<- e, ee`: what the responder said, and the session's keys.
  package mutating func readMessage2(
    _ message: some Collection<UInt8>
  ) throws(NoiseError) -> (payload: [UInt8], keys: NoiseKeys) {
    let (remote, sealed) = try parts(of: message)
    state.mixReplyKey(remote)
    try state.mixEphemeralSecret(secret(with: remote))
    let payload = try state.openSecond(sealed)
    return (payload, state.split())
  }

  private func secret(with key: [UInt8]) throws(NoiseError) -> [UInt8] {
    do { return try ephemeral.sharedSecret(with: key) } catch { throw NoiseError(error) }
  }
}

/// The node's side of the same handshake.
package struct NoiseResponder {
  private var state: NoiseState
  private let staticKey: X25519.PrivateKey
  private var remoteEphemeral: [UInt8] = []

  package init(staticKey: X25519.PrivateKey, tracing: Bool = false) {
    self.staticKey = staticKey
    state = NoiseState(responderKey: staticKey.publicKey, tracing: tracing)
  }

  package var trace: [NoiseStep: [UInt8]] { state.trace ?? [:] }

  /// `-> e, es`; returns the payload, which this protocol wants empty.
  package mutating func readMessage1(_ message: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
    let (remote, sealed) = try parts(of: message)
    remoteEphemeral = remote
    state.mixEphemeral(remote)
    do { state.mixStatic(try staticKey.sharedSecret(with: remote)) } catch { throw NoiseError(error) }
    return try state.openFirst(sealed)
  }

  /// `<- e, ee`: the message to send, and the session's keys.
  package mutating func writeMessage2(
    payload: [UInt8], ephemeral: X25519.PrivateKey
  ) throws(NoiseError) -> (message: [UInt8], keys: NoiseKeys) {
    state.mixReplyKey(ephemeral.publicKey)
    do {
      state.mixEphemeralSecret(try ephemeral.sharedSecret(with: remoteEphemeral))
    } catch {
      throw NoiseError(error)
    }
    let sealed = try state.sealSecond(payload)
    return (ephemeral.publicKey + sealed, state.split())
  }
}

/// A message is an ephemeral key and what is sealed after it.
private func parts(
  of message: some Collection<UInt8>
) throws(NoiseError) -> (key: [UInt8], sealed: [UInt8]) {
  guard message.count >= SealedProtocol.keySize + SealedProtocol.tagSize else { throw .tooShort }
  return (
    [UInt8](message.prefix(SealedProtocol.keySize)), [UInt8](message.dropFirst(SealedProtocol.keySize))
  )
}

/// The symmetric state both sides walk through in step.
private struct NoiseState {
  private(set) var hash: [UInt8]
  private var chainingKey: [UInt8]
  private var key: [UInt8] = []
  private(set) var trace: [NoiseStep: [UInt8]]?

  /// The protocol's name is shorter than a hash, so it is padded with zeros, not hashed.
  init(responderKey: [UInt8], tracing: Bool) {
    let name = [UInt8](SealedProtocol.noiseName.utf8)
    hash = name + [UInt8](repeating: 0, count: 32 - name.count)
    chainingKey = hash
    trace = tracing ? [:] : nil
    note(.initialHash, hash)
    mix([UInt8](SealedProtocol.prologue.utf8), .prologueHash)
    mix(responderKey, .responderKeyHash)
  }

  mutating func mixEphemeral(_ key: [UInt8]) {
    mix(key, .ephemeralHash)
  }

  mutating func mixStatic(_ secret: [UInt8]) {
    note(.staticSecret, secret)
    mixKey(secret)
    note(.staticChainingKey, chainingKey)
    note(.firstKey, key)
  }

  mutating func mixReplyKey(_ key: [UInt8]) {
    mix(key, .replyHash)
  }

  mutating func mixEphemeralSecret(_ secret: [UInt8]) {
    note(.ephemeralSecret, secret)
    mixKey(secret)
    note(.ephemeralChainingKey, chainingKey)
    note(.secondKey, key)
  }

  mutating func sealFirst(_ payload: [UInt8]) throws(NoiseError) -> [UInt8] {
    try seal(payload, .firstMessageHash)
  }

  mutating func openFirst(_ sealed: [UInt8]) throws(NoiseError) -> [UInt8] {
    try open(sealed, .firstMessageHash)
  }

  mutating func sealSecond(_ payload: [UInt8]) throws(NoiseError) -> [UInt8] {
    try seal(payload, .handshakeHash)
  }

  mutating func openSecond(_ sealed: [UInt8]) throws(NoiseError) -> [UInt8] {
    try open(sealed, .handshakeHash)
  }

  func split() -> NoiseKeys {
    let (request, response) = derive([])
    return NoiseKeys(request: request, response: response)
  }

  private mutating func mix(_ data: [UInt8], _ step: NoiseStep) {
    hash = SHA256.hash(hash + data)
    note(step, hash)
  }

  private mutating func mixKey(_ secret: [UInt8]) {
    (chainingKey, key) = derive(secret)
  }

  private func derive(_ input: [UInt8]) -> ([UInt8], [UInt8]) {
    let secret = HMACSHA256.authenticate(input, key: chainingKey)
    let first = HMACSHA256.authenticate([1], key: secret)
    return (first, HMACSHA256.authenticate(first + [2], key: secret))
  }

  /// Each key of this pattern seals one message, so the nonce's counter is always zero.
  private static let nonce = [UInt8](repeating: 0, count: AESGCM.nonceSize)

  private mutating func seal(_ payload: [UInt8], _ step: NoiseStep) throws(NoiseError) -> [UInt8] {
    do {
      let sealed = try AESGCM(key: key).seal(payload, nonce: Self.nonce, authenticating: hash)
      mix(sealed, step)
      return sealed
    } catch {
      throw NoiseError(error)
    }
  }

  private mutating func open(_ sealed: [UInt8], _ step: NoiseStep) throws(NoiseError) -> [UInt8] {
    do {
      let payload = try AESGCM(key: key).open(sealed, nonce: Self.nonce, authenticating: hash)
      mix(sealed, step)
      return payload
    } catch {
      throw NoiseError(error)
    }
  }

  private mutating func note(_ step: NoiseStep, _ value: [UInt8]) {
    trace?[step] = value
  }
}
