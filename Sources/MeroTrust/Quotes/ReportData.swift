import MeroCrypto

/// What a quote commits to: 64 bytes, our nonce and then a suffix (50 §2.3, 70 §2.5).
///
/// Keys and hashes are 32 bytes each; the domains keep the bindings apart, so that a quote made for one purpose never
/// serves another.
package enum ReportData {
  package static let size = 64
  private static let nothing = [UInt8](repeating: 0, count: 32)

  /// A node's signing key, and the application it runs, if that was asked for too.
  package static func nodeKeyBinding(application: [UInt8]?, key: [UInt8]) -> [UInt8] {
    binding("calimero.tee-attest.key-binding.v1", application ?? nothing, key)
  }

  /// The SHA-256 of a TLS key that is served from inside the trust domain.
  package static func tlsBinding(inner: [UInt8]?, spki: [UInt8]) -> [UInt8] {
    binding("calimero.tee-attest.tls-key.v1", inner ?? nothing, spki)
  }

  /// The key that the sealed channel encrypts to.
  package static func transportBinding(inner: [UInt8]?, key: [UInt8]) -> [UInt8] {
    binding("calimero.tee-attest.transport-key.v1", inner ?? nothing, key)
  }

  /// The cluster a 1.0 node belongs to; what the transport key is bound on top of.
  package static func clusterBinding(_ clusterId: [UInt8]) -> [UInt8] {
    SHA256.hash([UInt8]("calimero.tee-attest.cluster.v1".utf8) + clusterId)
  }

  /// The suffix for any combination of what a node of the generation before can be asked to bind.
  package static func suffix(
    applicationHash: [UInt8]? = nil, nodeKey: [UInt8]? = nil, tlsSPKI: [UInt8]? = nil,
    transportKey: [UInt8]? = nil
  ) -> [UInt8] {
    var inner = applicationHash
    if let nodeKey { inner = nodeKeyBinding(application: applicationHash, key: nodeKey) }
    if let tlsSPKI { inner = tlsBinding(inner: inner, spki: tlsSPKI) }
    if let transportKey { inner = transportBinding(inner: inner, key: transportKey) }
    return inner ?? nothing
  }

  /// The whole report data.
  package static func make(nonce: [UInt8], suffix: [UInt8]) -> [UInt8] {
    nonce + suffix
  }

  private static func binding(_ domain: String, _ inner: [UInt8], _ key: [UInt8]) -> [UInt8] {
    SHA256.hash([UInt8](domain.utf8) + inner + key)
  }
}
