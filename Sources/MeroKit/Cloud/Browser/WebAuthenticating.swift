import Foundation

/// Shows a person a page in a browser, and comes back with the address that the page led to.
///
/// Which one to take: ``SystemWebAuthenticator`` in an app on Apple's systems, ``LoopbackBrowserAuthenticator`` in a program on a
/// computer. One of your own can be this short:
///
/// ```swift
/// struct Scripted: WebAuthenticating {
///   let wallet: FakeWallet
///   func authenticate(url: URL, callback: CloudCallback) async throws -> URL { try wallet.approve(url) }
/// }
/// let session = try await signIn.enrol(using: Scripted(wallet: FakeWallet()), callback: .scheme("notes"))
/// ```
public protocol WebAuthenticating: Sendable {
  /// Shows the page until it leads to the callback.
  ///
  /// - Parameters:
  ///   - url: the page.
  ///   - callback: where it comes back to, which the page was told already.
  /// - Returns: the address that it led to, with its query and fragment. What it says is not verified.
  /// - Throws: ``WebAuthenticationCancelled`` when the person turned the page away, ``WebAuthenticationError`` when it could not be
  ///   shown or led elsewhere, and `CancellationError`.
  func authenticate(url: URL, callback: CloudCallback) async throws -> URL
}

/// The person turned the page away. Nothing was changed, and there is nothing to show.
public struct WebAuthenticationCancelled: Error, LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// It happened.
  public init() {}

  /// In words.
  public var description: String { "the page was closed before it had answered" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// Why a page could not be shown, or did not come back.
public enum WebAuthenticationError: Error, LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// This way to show a page cannot come back to such a callback; what it can come back to.
  case callbackNotSupported(String)
  /// The browser could not be opened; why.
  case browserNotOpened(String)
  /// No port could be had to come back to; why.
  case cannotListen(String)
  /// The page led to another address than the callback.
  case otherAddress

  /// What happened, in words. The address that a page led to is not in it: it may hold an answer.
  public var description: String {
    switch self {
    case .callbackNotSupported(let text): "the page could not come back here: \(text)"
    case .browserNotOpened(let reason): "the browser could not be opened: \(reason)"
    case .cannotListen(let reason): "the answer of the page cannot be listened for: \(reason)"
    case .otherAddress: "the page led to another address than the one it was asked to; begin again"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
