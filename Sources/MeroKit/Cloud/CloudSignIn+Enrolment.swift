import Foundation
import MeroWire

/// A wallet certifies this device (40 §5.2, §5.3).
extension CloudSignIn {
  /// Begins to sign in.
  ///
  /// - Parameter callbackURL: where the wallet returns to, such as `notes://enrol`.
  /// - Returns: the wallet's page, to be opened in a browser.
  /// - Throws: ``AccountError/invalidInput(_:)`` for a callback that a wallet must not open.
  public func beginEnrolment(callbackURL: String) throws -> URL {
    let keys = try deviceKeys()
    let state = Hex.encode(delegatedEnvironment.random.bytes(16))
    let url = try DeviceEnrolment.url(
      walletURL: config.walletURL, devicePublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey,
      callbackURL: callbackURL, state: state)
    records.expect(state)
    return url
  }

  /// Begins to sign in; see ``beginEnrolment(callbackURL:)``.
  public func beginEnrolment(callback: CloudCallback) throws -> URL {
    try beginEnrolment(callbackURL: callback.url)
  }

  /// Ends the sign-in with the address that the wallet returned to.
  ///
  /// - Throws: ``AccountError``: the person declined, the answer is to another request, or the credential is not about this
  ///   device. An address that is no answer is ``AccountError/protocolViolation(_:)``.
  @discardableResult
  public func completeEnrolment(callbackURL: URL) async throws -> CloudSession {
    guard let callback = try DeviceEnrolment.readCallback(callbackURL) else {
      throw AccountError.protocolViolation("the address holds no answer of a wallet")
    }
    return try await completeEnrolment(callback)
  }

  /// Ends the sign-in with what the wallet answered.
  ///
  /// Once the credential is verified the person is signed in, even when the cloud cannot be asked for a relay.
  @discardableResult
  public func completeEnrolment(_ callback: EnrolmentCallback) async throws -> CloudSession {
    let keys = try deviceKeys()
    // A forged answer must not end the enrolment it pretends to belong to: the state is kept until one verifies.
    let credential = try DeviceEnrolment.verify(callback, keys: keys, state: try records.pendingState())
    records.forgetState()
    // From here on whatever began under the session before is too late.
    era += 1
    let begun = era
    let choice = await choice(for: credential, keys)
    guard begun == era else {
      throw AccountError.notSignedIn(
        "the sign-in was given up by a sign-out, or by another sign-in; sign in again")
    }
    let session = CloudSession(
      account: credential.account, device: credential.device, credential: credential.text,
      relayUrl: choice.relayUrl, executorAccount: choice.executorAccount, note: choice.note)
    let former = leave(for: session)
    borrowed = nil
    records.keep(session)
    await close(former)
    return session
  }

  private func choice(for credential: DeviceCredential, _ keys: DeviceKeys) async -> RelayChoice {
    let cloud = cloudClient(proving: RoutingCredential(credential: credential.text, keys: keys))
    do {
      return CloudClient.chooseRelay(try await cloud.getAccountRelays(credential.account))
    } catch {
      return RelayChoice(
        note: "You are signed in, but the cloud could not be asked for your relay. Try again shortly.")
    }
  }
}
