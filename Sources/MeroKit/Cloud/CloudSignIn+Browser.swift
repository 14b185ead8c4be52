import Foundation

/// Signing in with a person in a browser (40 §5.4, 60 §5.4).
extension CloudSignIn {
  /// Signs in: shows the wallet's page, and takes what it answers.
  ///
  /// ```swift
  /// let session = try await signIn.enrol(using: SystemWebAuthenticator(), callback: .scheme("notes"))
  /// ```
  ///
  /// - Parameter callback: where the wallet leads back to, as `browser` can take it.
  /// - Throws: ``WebAuthenticationCancelled`` when the person turned the page away, after which nothing has changed and another try
  ///   begins anew; whatever the browser throws; ``AccountError`` as ``completeEnrolment(callbackURL:)`` does.
  @discardableResult
  public func enrol(using browser: any WebAuthenticating, callback: CloudCallback) async throws
    -> CloudSession
  {
    let page = try beginEnrolment(callback: callback)
    return try await completeEnrolment(
      callbackURL: try await browser.authenticate(url: page, callback: callback))
  }

  #if os(Linux) || os(macOS)
    /// Signs in with the browser of this computer.
    ///
    /// An answer to another request is refused, and the waiting goes on.
    ///
    /// - Parameter port: where to listen for the answer; 0 takes any port that is free.
    /// - Throws: ``AccountError/enrolmentDeclined(_:)`` when the person said no; ``WebAuthenticationError``.
    @discardableResult
    public func enrol(using browser: LoopbackBrowserAuthenticator, port: UInt16 = 0) async throws
      -> CloudSession
    {
      try await browser.authenticate(
        port: port, page: { try await self.beginEnrolment(callback: $0) },
        accepting: { await self.verdict(on: $0) })
    }
  #endif

  /// What an answer that somebody brought is worth. Only a person's no ends the waiting: any other flaw may be somebody else's
  /// forgery.
  private func verdict(on answer: URL) async -> BrowserVerdict<CloudSession> {
    do {
      return .accepted(
        try await completeEnrolment(callbackURL: answer), says: "You are signed in. This page can be closed.")
    } catch let error as AccountError {
      guard case .enrolmentDeclined = error else { return .refused(says: error.description) }
      return .ended(error, says: "Nothing was changed: \(error.description). This page can be closed.")
    } catch { return .refused(says: "The answer could not be taken.") }
  }
}
