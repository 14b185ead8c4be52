import Foundation
import MeroCrypto

/// What Intel says in the collateral, with its signatures and dates checked (50 §3.5, §3.6).
struct IntelStatements {
  let tcbInfo: TCBInfo
  let qeIdentity: QEIdentity
  private let signers: [Certificate]

  init(_ collateral: QuoteCollateral, _ pki: IntelPKI, at time: Date) throws(TrustError) {
    let tcbSigner = try pki.signer(collateral.tcbInfoIssuerChain, at: .tcbInfo)
    try Self.require(collateral.tcbInfo, collateral.tcbInfoSignature, by: tcbSigner, at: .tcbInfo)
    tcbInfo = try TCBInfo(collateral.tcbInfo)
    try Self.require(tcbInfo.issueDate, tcbInfo.nextUpdate, at: time, .tcbInfo)
    // Intel signs both with one key, so the chain is nearly always the same text.
    let qeSigner =
      collateral.qeIdentityIssuerChain == collateral.tcbInfoIssuerChain
      ? tcbSigner : try pki.signer(collateral.qeIdentityIssuerChain, at: .qeIdentity)
    try Self.require(collateral.qeIdentity, collateral.qeIdentitySignature, by: qeSigner, at: .qeIdentity)
    qeIdentity = try QEIdentity(collateral.qeIdentity)
    try Self.require(qeIdentity.issueDate, qeIdentity.nextUpdate, at: time, .qeIdentity)
    signers = [tcbSigner, qeSigner]
  }

  /// When the later of the two was issued.
  var issuedAt: Date { max(tcbInfo.issueDate, qeIdentity.issueDate) }
  /// When the first of the two, or of their signers, runs out.
  var validUntil: Date {
    signers.map(\.notAfter).reduce(min(tcbInfo.nextUpdate, qeIdentity.nextUpdate), min)
  }

  /// The signature is over the text as it stands. Only a text that is signed is read any further.
  private static func require(
    _ text: String, _ signature: [UInt8], by signer: Certificate, at stage: TrustStage
  ) throws(TrustError) {
    guard signer.publicKey.isValid(raw: signature, for: Array(text.utf8)) else {
      throw .refused(
        stage, "a signature of \(signer.label) does not hold: the text or the signature was changed")
    }
  }

  private static func require(
    _ issueDate: Date, _ nextUpdate: Date, at time: Date, _ stage: TrustStage
  ) throws(TrustError) {
    guard issueDate <= time, time <= nextUpdate else {
      throw .refused(
        stage,
        "the collateral is \(time < issueDate ? "not valid yet" : "expired"): it is for "
          + "\(X509Error.text(issueDate)) to \(X509Error.text(nextUpdate)), and it is \(X509Error.text(time)) "
          + "by this machine's clock")
    }
  }
}
