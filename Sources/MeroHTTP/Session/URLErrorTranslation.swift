import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// What an error of `URLSession` means. `host` is named in the text; nothing else of the address is.
  init(_ error: any Error, host: String) {
    let error = error as NSError
    self.init(FailureCause(error), code: error.code, host: host)
  }
}

extension FailureCause {
  fileprivate init(_ error: NSError) {
    guard error.domain == NSURLErrorDomain else {
      self = .lost
      return
    }
    // Optional because an unlisted code has no value on Linux, while it has one on Apple.
    let listed: URLError.Code? = URLError.Code(rawValue: error.code)
    let code = listed ?? .unknown
    #if os(Linux)
      self = FailureCause(code, curl: error.userInfo[NSLocalizedDescriptionKey] as? String ?? "")
    #else
      self = FailureCause(code)
    #endif
  }

  private init(_ code: URLError.Code) {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: self = .unknownHost
    case .cannotConnectToHost: self = .refused
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      self = .noNetwork
    case .badURL, .appTransportSecurityRequiresSecureConnection: self = .notSendable
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .tls
    case .timedOut: self = .timedOut
    default: self = .lost
    }
  }

  #if os(Linux)
    /// On Linux the code alone does not tell. Most failures, TLS among them, are "unknown"; and every failure after
    /// one of a host's addresses refused is "cannot connect", though another address took the request. What libcurl
    /// says tells them apart, and only its plain statement counts as proof that nothing was sent.
    private init(_ code: URLError.Code, curl text: String) {
      let isBeforeSending = [
        "Failed to connect to ", "Couldn't connect to server", "Could not connect to server",
      ]
      let isHandshake = [
        "SSL certificate problem", "SSL: ", "SSL routines", "SSL_connect", "SSL connect error",
      ]
      let isLater = ["SSL_read", "SSL_write", "SSL_shutdown"]
      func says(_ phrases: [String]) -> Bool { phrases.contains { text.contains($0) } }
      switch FailureCause(code) {
      case .refused where says(isBeforeSending), .timedOut where says(isBeforeSending),
        .lost where says(isBeforeSending):
        self = .refused
      case .refused: self = .lost
      case .lost where says(isHandshake) && !says(isLater): self = .tls
      case let cause: self = cause
      }
    }
  #endif
}
