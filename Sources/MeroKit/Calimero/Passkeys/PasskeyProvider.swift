import MeroAPI

/// What a cluster asks an authenticator to make a passkey for, in WebAuthn's JSON form.
public typealias PasskeyCreationOptions = Components.Schemas.PasskeyCreationOptions
/// What a cluster asks an authenticator to sign, in WebAuthn's JSON form.
public typealias PasskeyRequestOptions = Components.Schemas.PasskeyRequestOptions
/// A new passkey, as an authenticator answers it.
public typealias RegistrationCredential = Components.Schemas.RegistrationCredential
/// A passkey's signature, as an authenticator answers it.
public typealias AssertionCredential = Components.Schemas.AssertionCredential

/// Something that makes and uses passkeys: the system's sheet, or ``SoftPasskey`` in tests and tools.
///
/// A provider throws ``PasskeyFailure`` to say what went wrong. A `CancellationError` counts as
/// ``PasskeyFailure/cancelled``; any other error becomes ``PasskeyFailure/other(_:)`` with its text.
public protocol PasskeyProvider: Sendable {
  /// Whether a person is asked. A ceremony that ran out of time is begun again by itself only when nobody
  /// is: a second sheet without a tap would look like an attack. True unless a provider says otherwise.
  var asksPerson: Bool { get }

  /// Makes a passkey.
  func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential

  /// Signs with a passkey.
  func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential
}

extension PasskeyProvider {
  /// True: a person is asked.
  public var asksPerson: Bool { true }
}
