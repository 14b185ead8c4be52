#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
  import AuthenticationServices
  import Foundation

  #if canImport(UIKit)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif

  /// Shows pages in the system's sign-in sheet (60 §5.4).
  ///
  /// ```swift
  /// let session = try await signIn.enrol(using: SystemWebAuthenticator(), callback: .scheme("notes"))
  /// ```
  ///
  /// The sheet shares the browser's storage, where a wallet keeps its own passkey's root: without it the wallet would have to ask for
  /// everything again each time. Callbacks to a web address take iOS 17.4 or macOS 14.4.
  public final class SystemWebAuthenticator: NSObject, WebAuthenticating {
    /// One that shows each page over the app's key window.
    override public init() { super.init() }

    /// Shows the page in a sheet; see ``WebAuthenticating``.
    public func authenticate(url: URL, callback: CloudCallback) async throws -> URL {
      let answer = try await WebSheet().present(
        url, SheetCallback(callback, takesWebAddresses: Self.takesWebAddresses))
      guard callback.matches(answer) else { throw WebAuthenticationError.otherAddress }
      return answer
    }

    private static var takesWebAddresses: Bool {
      if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) { return true }
      return false
    }
  }

  /// One sheet, from its beginning to its end.
  @MainActor private final class WebSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    func present(_ url: URL, _ callback: SheetCallback) async throws -> URL {
      let answer = FirstAnswer<URL>()
      // Not the main actor's: some systems call it on a thread of their own.
      let session = Self.session(url, callback) { @Sendable url, error in
        answer.give(Self.result(url, error))
      }
      session.presentationContextProvider = self
      guard session.start() else {
        throw WebAuthenticationError.browserNotOpened("the system did not show its sign-in sheet")
      }
      // A sheet that has ended takes no notice.
      defer { session.cancel() }
      return try await answer.wait()
    }

    private static func session(
      _ url: URL, _ callback: SheetCallback,
      _ completion: @escaping ASWebAuthenticationSession.CompletionHandler
    ) -> ASWebAuthenticationSession {
      switch callback {
      case .scheme(let scheme):
        return ASWebAuthenticationSession(url: url, callbackURLScheme: scheme, completionHandler: completion)
      case .https(let host, let path):
        if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) {
          return ASWebAuthenticationSession(
            url: url, callback: .https(host: host, path: path), completionHandler: completion)
        }
        // SheetCallback has refused it by now.
        return ASWebAuthenticationSession(url: url, callbackURLScheme: "https", completionHandler: completion)
      }
    }

    private nonisolated static func result(_ url: URL?, _ error: (any Error)?) -> Result<URL, any Error> {
      if let url { return .success(url) }
      if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
        return .failure(WebAuthenticationCancelled())
      }
      return .failure(
        WebAuthenticationError.browserNotOpened(
          error?.localizedDescription ?? "the sheet ended without an answer"))
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
      #if canImport(UIKit)
        let windows = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
          .flatMap { $0.windows }
        return windows.first { $0.isKeyWindow } ?? windows.first ?? ASPresentationAnchor()
      #else
        let application = NSApplication.shared
        return application.keyWindow ?? application.windows.first ?? ASPresentationAnchor()
      #endif
    }
  }
#endif
