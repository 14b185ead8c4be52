import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// What an error of `URLSession` means. `host` is named in the text; nothing else of the address is.
  init(_ error: any Error, host: String) {
    let error = error as NSError
    let cause = Cause(error)
    self.init(
      kind: cause.kind, text: "\(host): \(cause.text) (\(error.code))", mayHaveBeenSent: cause.mayHaveBeenSent
    )
  }

  private enum Cause {
    case unknownHost, refused, noNetwork, notSendable, tls, timedOut, lost

    init(_ error: NSError) {
      guard error.domain == NSURLErrorDomain else {
        self = .lost
        return
      }
      // Optional because an unlisted code has no value on Linux, while it has one on Apple.
      let listed: URLError.Code? = URLError.Code(rawValue: error.code)
      let code = listed ?? .unknown
      #if os(Linux)
        self = Cause(code, curl: error.userInfo[NSLocalizedDescriptionKey] as? String ?? "")
      #else
        self = Cause(code)
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
        switch Cause(code) {
        case .refused where says(isBeforeSending), .timedOut where says(isBeforeSending),
          .lost where says(isBeforeSending):
          self = .refused
        case .refused: self = .lost
        case .lost where says(isHandshake) && !says(isLater): self = .tls
        case let cause: self = cause
        }
      }
    #endif

    var kind: Kind {
      switch self {
      case .unknownHost, .refused, .noNetwork, .notSendable: .cannotConnect
      case .tls: .tls
      case .timedOut: .timedOut
      case .lost: .lost
      }
    }

    var text: String {
      switch self {
      case .unknownHost: "the host is unknown"
      case .refused: "no connection can be made"
      case .noNetwork: "there is no network"
      case .notSendable: "the system does not send this request"
      case .tls: "no trusted connection came about"
      case .timedOut: "no answer in time"
      case .lost: "the connection ended early"
      }
    }

    var mayHaveBeenSent: Bool {
      switch self {
      case .unknownHost, .refused, .noNetwork, .notSendable, .tls: false
      case .timedOut, .lost: true
      }
    }
  }
}
