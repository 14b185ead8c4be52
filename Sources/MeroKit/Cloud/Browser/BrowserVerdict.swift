/// What an answer that a browser brought is worth, and what the browser's page says about it.
///
/// ```swift
/// try await browser.authenticate(page: { try await signIn.beginEnrolment(callback: $0) }) { answer in
///   do {
///     return .accepted(try await signIn.completeEnrolment(callbackURL: answer), says: "You may close this page.")
///   } catch AccountError.enrolmentDeclined(let text) {
///     return .ended(AccountError.enrolmentDeclined(text), says: "Nothing was changed.")
///   } catch { return .refused(says: "This answers another request.") }
/// }
/// ```
public enum BrowserVerdict<Value: Sendable>: Sendable {
  /// It is the answer that was waited for.
  case accepted(Value, says: String)
  /// It is an answer to what was asked, and ends the waiting with an error.
  case ended(any Error, says: String)
  /// It is none. The waiting goes on.
  case refused(says: String)
}
