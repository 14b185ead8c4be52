/// What the hardware says about an SGX enclave: here, about the quoting enclave (50 §3.1).
package struct EnclaveReport: Sendable, Hashable, FixedLayout {
  static let size = 384

  package let bytes: ArraySlice<UInt8>

  package var cpuSvn: ArraySlice<UInt8> { field(0, 16) }
  package var miscSelect: ArraySlice<UInt8> { field(16, 4) }
  package var attributes: ArraySlice<UInt8> { field(48, 16) }
  package var mrEnclave: ArraySlice<UInt8> { field(64, 32) }
  package var mrSigner: ArraySlice<UInt8> { field(128, 32) }
  package var isvProdId: Int { Int(littleEndian: field(256, 2)) }
  package var isvSvn: Int { Int(littleEndian: field(258, 2)) }
  package var reportData: ArraySlice<UInt8> { field(320, 64) }
  /// Whether the host may read the enclave's memory.
  package var isDebug: Bool { field(48, 1).first.map { $0 & 0x02 != 0 } ?? true }
}
