import Foundation
import MeroCrypto

/// Intel's certificates below a root, as they stand at one time (50 §3.3, §3.4).
struct IntelPKI {
  private let root: Certificate
  private let rootList: RevocationList
  private let time: Date

  /// - Parameter rootCRL: the list of the root's own certificates, in DER.
  init(root: Certificate, rootCRL: [UInt8], at time: Date) throws(TrustError) {
    self.root = root
    self.time = time
    rootList = try Self.list(rootCRL, issuedBy: root, at: time)
    try refusing(at: .revocationLists) { () throws(X509Error) in try rootList.requireGood(root) }
  }

  /// When the first of the root's list and the root itself runs out.
  var validUntil: Date { min(rootList.nextUpdate, root.notAfter) }

  /// The certificate that signs what Intel says: directly below the root.
  func signer(_ chain: String, at stage: TrustStage) throws(TrustError) -> Certificate {
    let path = try path(Array(chain.utf8)[...], count: 2, at: stage)
    try refusing(at: stage) { () throws(X509Error) in try rootList.requireGood(path[0]) }
    try Self.require(path[0], isNamed: "SGX TCB Signing", at: stage)
    return path[0]
  }

  /// The certificate of a platform's key, its authority, and until when the authority's list is good.
  func platform(
    _ chain: ArraySlice<UInt8>, pckCRL: [UInt8]
  ) throws(TrustError) -> (key: Certificate, authority: Certificate, listedUntil: Date) {
    let path = try path(chain, count: 3, at: .pckChain)
    let (key, authority) = (path[0], path[1])
    try Self.require(key, isNamed: "SGX PCK Certificate", at: .pckChain)
    try Self.require(authority, isNamed: "CA", at: .pckChain)
    let list = try Self.list(pckCRL, issuedBy: authority, at: time)
    try refusing(at: .pckChain) { () throws(X509Error) in
      try rootList.requireGood(authority)
      try list.requireGood(key)
    }
    return (key, authority, list.nextUpdate)
  }

  private func path(
    _ chain: ArraySlice<UInt8>, count: Int, at stage: TrustStage
  ) throws(TrustError) -> [Certificate] {
    let path = try refusing(at: stage) { () throws(X509Error) in
      try CertificatePath.verify(try PEM.certificates(in: chain, known: root), to: root, at: time)
    }
    guard path.count == count else {
      throw .refused(stage, "the chain has \(path.count) certificates instead of \(count)")
    }
    guard path.allSatisfy({ $0.publicKey.curve == .p256 && $0.signatureAlgorithm == .ecdsaSHA256 }) else {
      throw .refused(stage, "a certificate of the chain is not of the kind that Intel issues")
    }
    return path
  }

  private static func list(
    _ bytes: [UInt8], issuedBy authority: Certificate, at time: Date
  ) throws(TrustError) -> RevocationList {
    try refusing(at: .revocationLists) { () throws(X509Error) in
      let list = try RevocationList(der: bytes)
      try list.verify(issuedBy: authority, at: time)
      return list
    }
  }

  private static func require(
    _ certificate: Certificate, isNamed name: String, at stage: TrustStage
  ) throws(TrustError) {
    guard certificate.subject.commonName?.contains(name) == true else {
      throw .refused(stage, "\(certificate.label) is not the certificate that belongs there")
    }
  }
}

/// Turns what is wrong with a certificate into a refusal at a step.
func refusing<Value>(
  at stage: TrustStage, _ body: () throws(X509Error) -> Value
) throws(TrustError) -> Value {
  do throws(X509Error) {
    return try body()
  } catch {
    throw .refused(stage, error.description)
  }
}
