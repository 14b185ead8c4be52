import Foundation
import MeroCrypto

/// A certificate before it is signed; everything in it can be changed.
package struct CertificateDraft: Sendable {
  package var serialNumber: Int
  package var issuer: String
  package var subject: String
  package var from = Date(timeIntervalSince1970: 1_600_000_000)
  package var until = Date(timeIntervalSince1970: 2_000_000_000)
  package var key: P256.PublicKey
  package var isAuthority: Bool
  package var pathLength: Int?
  /// The content bits; nil leaves the extension out.
  package var keyUsage: UInt8?
  package var more: [[UInt8]] = []
  package var algorithm = DER.ecdsaSHA256
  package var version = DER.explicit(0, DER.integer(2))

  package init(
    serialNumber: Int = 1, issuer: String, subject: String, key: P256.PublicKey, isAuthority: Bool = false,
    pathLength: Int? = nil, keyUsage: UInt8? = nil
  ) {
    self.serialNumber = serialNumber
    self.issuer = issuer
    self.subject = subject
    self.key = key
    self.isAuthority = isAuthority
    self.pathLength = pathLength
    self.keyUsage = keyUsage
  }

  package func signed(by signer: P256.PrivateKey) throws -> [UInt8] {
    var extensions = more
    if isAuthority {
      let limit = pathLength.map(DER.integer) ?? []
      extensions.append(DER.extension(.basicConstraints, critical: true, DER.sequence(DER.yes, limit)))
    }
    if let keyUsage {
      let value = DER.bits([keyUsage], unused: UInt8(keyUsage.trailingZeroBitCount))
      extensions.append(DER.extension(.keyUsage, critical: true, value))
    }
    let contents = DER.sequence(
      version, DER.integer(serialNumber), algorithm, DER.name(issuer),
      DER.sequence(DER.time(from), DER.time(until)), DER.name(subject), DER.publicKey(key),
      extensions.isEmpty ? [] : DER.explicit(3, DER.element(0x30, extensions.flatMap { $0 })))
    return try DER.signed(contents, by: signer, algorithm: algorithm)
  }

  package func certificate(signedBy signer: P256.PrivateKey) throws -> Certificate {
    try Certificate(der: try signed(by: signer))
  }
}

/// A revocation list before it is signed.
package struct RevocationDraft: Sendable {
  package var issuer: String
  package var serialNumbers: [Int]
  package var until = Date(timeIntervalSince1970: 2_000_000_000)
  package var entryExtensions: [UInt8] = []
  package var extensions: [[UInt8]] = [DER.extension(.revocationListNumber, DER.integer(7))]

  package init(issuer: String, serialNumbers: [Int] = []) {
    self.issuer = issuer
    self.serialNumbers = serialNumbers
  }

  package func signed(by signer: P256.PrivateKey) throws -> [UInt8] {
    let entries = serialNumbers.map { number in
      DER.sequence(DER.integer(number), DER.time(Date(timeIntervalSince1970: 1_700_000_000)), entryExtensions)
    }
    let contents = DER.sequence(
      DER.integer(1), DER.ecdsaSHA256, DER.name(issuer),
      DER.time(Date(timeIntervalSince1970: 1_600_000_000)), DER.time(until),
      entries.isEmpty ? [] : DER.element(0x30, entries.flatMap { $0 }),
      extensions.isEmpty ? [] : DER.explicit(0, DER.element(0x30, extensions.flatMap { $0 })))
    return try DER.signed(contents, by: signer)
  }
}
