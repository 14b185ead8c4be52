import MeroCrypto

/// The quotes a fake node answers with. Made here from the specification rather than by the verifier's own code, so
/// that both can be wrong only in different ways.
enum FakeQuote {
  /// What binds a transport key and a cluster to a nonce (70 §2.5).
  static func reportData(nonce: [UInt8], key: [UInt8]?, clusterId: [UInt8]?) -> [UInt8] {
    let inner =
      clusterId.map { SHA256.hash(Array("calimero.tee-attest.cluster.v1".utf8) + $0) }
      ?? [UInt8](repeating: 0, count: 32)
    guard let key else { return nonce + inner }
    return nonce + SHA256.hash(Array("calimero.tee-attest.transport-key.v1".utf8) + inner + key)
  }

  /// A mock quote: it proves nothing about hardware.
  static func mock(_ reportData: [UInt8]) -> [UInt8] {
    let quote = Array("MOCK_TDX_QUOTE_V1".utf8) + reportData
    return quote + [UInt8](repeating: 0, count: 256 - quote.count)
  }

  /// A quote with the form of a TDX quote of version 4 (50 §3.1) and the right report data, which no hardware signed.
  static func unsigned(_ reportData: [UInt8], random: (Int) -> [UInt8]) -> [UInt8] {
    let vendor: [UInt8] = [
      0x93, 0x9A, 0x72, 0x33, 0xF7, 0x9C, 0x4C, 0xA9, 0x94, 0x0A, 0x0D, 0xB3, 0x95, 0x7F, 0x06, 0x07,
    ]
    let header = [4, 0, 2, 0, 0x81, 0, 0, 0, 0, 0, 0, 0] + vendor + random(20)
    let body = random(520) + reportData
    let chain = Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8) + [0]
    let certification = random(384 + 64) + [32, 0] + random(32) + [5, 0] + littleEndian(chain.count) + chain
    let signed = random(64 + 64) + [6, 0] + littleEndian(certification.count) + certification
    return header + body + littleEndian(signed.count) + signed
  }

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}
