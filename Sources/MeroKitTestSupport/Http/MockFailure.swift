import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a request that was stubbed has no answer.
struct MockFailure: Error, LocalizedError, CustomStringConvertible {
  let description: String
  var errorDescription: String? { description }

  init(_ description: String) { self.description = description }

  /// The error as a session tells it.
  static func of(_ error: any Error) -> any Error {
    switch error {
    case let error as URLError: url(error.code, error.userInfo)
    case let error as TransportError: url(code(of: error), [NSLocalizedDescriptionKey: error.text])
    case is CancellationError: url(.cancelled)
    default: error
    }
  }

  private static func url(_ code: URLError.Code, _ info: [String: Any] = [:]) -> any Error {
    var info = info
    #if os(Linux)
      // There the code alone does not say that nothing was sent; the words of libcurl do, and a real failure has them.
      if code == .cannotConnectToHost { info[NSLocalizedDescriptionKey] = "Couldn't connect to server" }
    #endif
    return NSError(domain: NSURLErrorDomain, code: code.rawValue, userInfo: info)
  }

  private static func code(of error: TransportError) -> URLError.Code {
    switch error.kind {
    case .tls: .secureConnectionFailed
    case .timedOut where error.mayHaveBeenSent: .timedOut
    case _ where error.mayHaveBeenSent: .networkConnectionLost
    default: .cannotConnectToHost
    }
  }
}
