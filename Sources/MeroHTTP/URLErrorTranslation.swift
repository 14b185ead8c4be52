import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// What an error of `URLSession` means. `host` is named in the text; nothing else of the address is.
  init(_ error: any Error, host: String) {
    let error = error as NSError
    let code = error.domain == NSURLErrorDomain ? URLError.Code(rawValue: error.code) : .unknown
    switch code {
    case .cannotFindHost, .dnsLookupFailed:
      self.init(kind: .cannotConnect, text: "the host \(host) is unknown", mayHaveBeenSent: false)
    case .cannotConnectToHost:
      self.init(kind: .cannotConnect, text: "\(host) refuses connections", mayHaveBeenSent: false)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      self.init(kind: .cannotConnect, text: "there is no network to reach \(host) by", mayHaveBeenSent: false)
    case .badURL, .unsupportedURL, .dataLengthExceedsMaximum, .appTransportSecurityRequiresSecureConnection:
      self.init(
        kind: .cannotConnect, text: "the system refuses to send this request to \(host)",
        mayHaveBeenSent: false)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self.init(kind: .tls, text: "no trusted connection to \(host) came about", mayHaveBeenSent: false)
    case .timedOut:
      self.init(kind: .timedOut, text: "\(host) did not answer in time", mayHaveBeenSent: true)
    default:
      self.init(
        kind: .lost, text: "the connection to \(host) ended early (\(error.code))", mayHaveBeenSent: true)
    }
  }
}
