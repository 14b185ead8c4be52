import Foundation

/// An authenticator without a browser around it, which has to be told whose address it speaks for.
protocol OriginlessPasskey: PasskeyProvider {
  func create(_ options: PasskeyCreationOptions, at node: URL?) async throws -> RegistrationCredential
  func get(_ options: PasskeyRequestOptions, at node: URL?) async throws -> AssertionCredential
}

/// Asks an authenticator and says its failures in this client's words.
enum PasskeyCeremony {
  /// Makes a passkey; `node` is the client's base URL.
  ///
  /// - Throws: ``PasskeyFailure``, or `CancellationError` when the caller's own task was cancelled.
  static func create(
    with provider: any PasskeyProvider, _ options: PasskeyCreationOptions, at node: URL?
  ) async throws -> RegistrationCredential {
    try await translating {
      if let provider = provider as? any OriginlessPasskey {
        try await provider.create(options, at: node)
      } else {
        try await provider.create(options)
      }
    }
  }

  /// Signs with a passkey; `node` is the client's base URL.
  ///
  /// - Throws: ``PasskeyFailure``, or `CancellationError` when the caller's own task was cancelled.
  static func get(
    with provider: any PasskeyProvider, _ options: PasskeyRequestOptions, at node: URL?
  ) async throws -> AssertionCredential {
    try await translating {
      if let provider = provider as? any OriginlessPasskey {
        try await provider.get(options, at: node)
      } else {
        try await provider.get(options)
      }
    }
  }

  private static func translating<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch is CancellationError {
      // The person closing the sheet and the app cancelling its task look alike to a provider.
      if Task.isCancelled { throw CancellationError() }
      throw PasskeyFailure.cancelled
    } catch let failure as PasskeyFailure {
      throw failure
    } catch CalimeroError.passkey(let failure) {
      throw failure
    } catch {
      throw PasskeyFailure.other("\(error)")
    }
  }
}
