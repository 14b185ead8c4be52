import Foundation
import MeroCrypto

/// Proves to the cloud who reads where an account or a namespace is served (30 §16.1).
public enum RoutingProof {
  /// The headers of a proven read.
  ///
  /// - Parameter nonce: the challenge's, as it came. It is good for one read.
  public static func headers(
    nonce: String, credential: String, keys: DeviceKeys
  ) throws(AccountError) -> [String: String] {
    try headers(nonce: nonce, by: RoutingCredential(credential: credential, keys: keys))
  }

  /// The headers of a read that a credential proves.
  static func headers(nonce: String, by prover: RoutingCredential) throws(AccountError) -> [String: String] {
    let signature: [UInt8]
    do {
      let key = try Ed25519.PrivateKey(seed: prover.deviceSecret)
      signature = try key.sign(Array("calimero.mdma.routing-read.v1\0".utf8) + Array(nonce.utf8))
    } catch { throw .invalidInput("the secret of a device's signing key is 32 bytes") }
    return [
      "X-Calimero-Credential": prover.credential, "X-Calimero-Nonce": nonce,
      "X-Calimero-Signature": Data(signature).base64EncodedString(),
    ]
  }
}
