import Foundation
import MeroWire

/// The JSON form in which a ``SoftPasskey`` carries its credentials away (70 §2.10).
struct ExportedPasskeys: Codable {
  struct Credential: Codable {
    let credentialId: String
    let rpId: String
    let userHandle: String
    let userName: String
    let algorithm: Int32
    let privateKey: String
    let counter: UInt32
  }

  let version: Int
  let credentials: [Credential]

  static func write(_ credentials: [SoftCredential]) throws -> Data {
    try ExactJSON.encode(
      ExportedPasskeys(
        version: 1,
        credentials: credentials.map {
          Credential(
            credentialId: $0.idText, rpId: $0.rpId, userHandle: $0.userHandle, userName: $0.userName,
            algorithm: $0.key.algorithm.coseNumber, privateKey: Base64URL.encode($0.key.secret),
            counter: $0.counter)
        }))
  }

  static func read(_ data: Data) throws -> [SoftCredential] {
    do {
      let exported = try ExactJSON.decode(ExportedPasskeys.self, from: data)
      guard exported.version == 1 else { throw WireError.notExported("version \(exported.version)") }
      return try exported.credentials.map(credential)
    } catch {
      // What could not be read may hold a private key, so only the kind of trouble is told.
      let reason = (error as? WireError)?.reason ?? "it does not have their form"
      throw CalimeroError.invalidInput("these are not exported passkeys: \(reason)")
    }
  }

  private static func credential(_ exported: Credential) throws -> SoftCredential {
    let id = try Base64URL.decode(exported.credentialId)
    guard !id.isEmpty, id.count <= 1023 else { throw WireError.notExported("a credential id's length") }
    guard let algorithm = SoftPasskey.Algorithm(coseNumber: exported.algorithm) else {
      throw WireError.notExported("algorithm \(exported.algorithm)")
    }
    return SoftCredential(
      id: id, rpId: exported.rpId, userHandle: exported.userHandle, userName: exported.userName,
      key: try SoftCredential.Key(algorithm, secret: try Base64URL.decode(exported.privateKey)),
      counter: exported.counter)
  }
}

extension WireError {
  fileprivate static func notExported(_ reason: String) -> WireError {
    WireError(format: "json", reason: reason, path: nil)
  }
}
