/// Why there is no session.
public enum SignedOutReason: String, Sendable, Hashable {
  /// Nobody has signed in here.
  case never
  /// The session's time is over.
  case expired
  /// The session was revoked: signed out elsewhere, or the account was.
  case revoked
  /// A refresh token was used twice, so the cluster ended the session: a copy of it may be about.
  case reused
  /// `signOut()` was called.
  case signedOut
  /// The stored session belongs to another cluster than the one this client is for.
  case otherCluster
}

/// The authenticator did not make or use a passkey. A ``PasskeyProvider`` throws it.
public enum PasskeyFailure: Error, Sendable, Hashable {
  /// The person closed the sheet.
  case cancelled
  /// This device or platform has no passkeys.
  case notSupported
  /// There is no passkey for this account or cluster here.
  case noCredential
  /// The authenticator holds a passkey of this account already.
  case excluded
  /// The app may not use passkeys of this relying party.
  case notAllowed(rpId: String)
  /// The authenticator's answer, or the question put to it, does not have the right form.
  case invalidResponse
  /// Something else; its text.
  case other(String)
}

/// A request needs a person's confirmation, and there is none (70 §2.11).
public enum ConfirmFailure: Sendable, Hashable {
  /// No passkey provider was given to confirm this operation with.
  case required(action: String)
  /// The person declined.
  case declined
  /// The node asked to confirm something else than the request that was sent; nothing was signed.
  case mismatch
  /// The node did not accept the confirmation; its reason.
  case rejected(reason: String?)
  /// The challenge's time was over before anyone could be asked.
  case expired
}

/// A request needs an operator's signature, and there is none (70 §2.12). An ``OperatorSigner`` may throw it.
public enum OperatorFailure: Error, Sendable, Hashable {
  /// No signer was given for this operation.
  case required(action: String)
  /// The signer declined.
  case declined
  /// The node asked to sign something else than the request that was sent; nothing was signed.
  case mismatch
  /// The node did not accept the signature; its reason.
  case rejected(reason: String?)
  /// The challenge's time was over, or longer than ten minutes.
  case expired
  /// The key is not 32 bytes of an Ed25519 seed.
  case invalidKey
}

/// Signing in through the consent page failed (70 §2.14).
public enum ConsentFailure: String, Error, Sendable, Hashable {
  /// The person said no.
  case denied
  /// The callback belongs to another attempt.
  case stateMismatch
  /// The callback is not one.
  case badCallback
  /// The attempt's time was over.
  case expired
  /// The person closed the page.
  case cancelled
}

/// An event stream cannot go on (70 §2.16).
public enum StreamFailure: Sendable, Hashable {
  /// Events after the cursor are no longer kept; the oldest cursor that still is.
  case cursorExpired(oldest: String?)
  /// The cursor is not one of this app's.
  case invalidCursor
  /// More arrived than can be held. Reserved, and not thrown: a client whose program is slow to read stops reading from the
  /// node and comes back for the rest.
  case overflow
  /// The app was deleted. Reserved, and not thrown: a stream ends after the event `calimero.deleted`, and one that is begun
  /// later throws `api` with `NOT_FOUND`.
  case appDeleted
}
