import Foundation

/// An authenticator in software whose passkeys are kept in a private file, for tools and servers.
///
/// ```swift
/// let passkey = FilePasskey("/var/lib/bot/passkeys.json")
/// try await client.signUp(passkey, name: "bot")
/// ```
///
/// The file has mode 0600 and the form of ``SoftPasskey/export()``. A new passkey is in it before the cluster hears of
/// it, so that no account is made that nobody could sign in to again; and its counter is in it before a signature is
/// used, since a counter that goes back looks like a copied key. Processes that share the file take turns; who has waited for a minute
/// and a half gives up.
///
/// Whoever can read the file can act as its accounts.
public actor FilePasskey: OriginlessPasskey {
  private let file: PrivateFile
  private let patience: TimeInterval

  /// The passkeys in the file at `path`; there need be none yet.
  public init(_ path: String) { self.init(path, patience: FileLock.patience) }

  init(_ path: String, patience: TimeInterval) {
    file = PrivateFile(path: path)
    self.patience = patience
  }

  /// Nobody is asked.
  public nonisolated var asksPerson: Bool { false }

  /// Makes a passkey and keeps it.
  ///
  /// - Throws: ``PasskeyFailure``, also when the file cannot be read or written.
  public func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential {
    try await create(options, at: nil)
  }

  /// Signs with a passkey of the file.
  ///
  /// - Throws: ``PasskeyFailure``, also when the file cannot be read or written.
  public func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential {
    try await get(options, at: nil)
  }

  func create(_ options: PasskeyCreationOptions, at node: URL?) async throws -> RegistrationCredential {
    try await withPasskeys { try await $0.create(options, at: node) }
  }

  func get(_ options: PasskeyRequestOptions, at node: URL?) async throws -> AssertionCredential {
    try await withPasskeys { try await $0.get(options, at: node) }
  }

  /// Works with the passkeys and writes them back before the result is handed out.
  private func withPasskeys<Credential: Sendable>(
    _ work: (SoftPasskey) async throws -> Credential
  ) async throws -> Credential {
    let lock: FileLock
    let passkeys: SoftPasskey
    do {
      lock = try await FileLock.acquire(beside: file.path, patience: patience)
    } catch let error where !(error is CancellationError) {
      throw PasskeyFailure.other("the passkeys cannot be locked: \(error)")
    }
    defer { lock.release() }
    do { passkeys = try kept() } catch {
      throw PasskeyFailure.other("the passkeys in \(file.path) cannot be read: \(error)")
    }
    let credential = try await work(passkeys)
    do { try file.write(try await passkeys.export()) } catch {
      throw PasskeyFailure.other("the passkeys in \(file.path) cannot be written: \(error)")
    }
    return credential
  }

  private func kept() throws -> SoftPasskey {
    if let data = try file.read() { return try SoftPasskey(exported: data) }
    // Something else under this name, too large to be read, must not be taken for nothing and replaced.
    guard !FileManager.default.fileExists(atPath: file.path) else {
      throw CalimeroError.invalidInput("it is too large to be a file of passkeys")
    }
    return SoftPasskey()
  }
}
