import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The one delegate of a transport's session: hands each callback to the exchange of its task.
///
/// It must be the session's delegate. On Linux a task's own delegate is never asked about redirects or challenges, and
/// a session without a delegate never ends a 401 with `WWW-Authenticate: Basic`.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
  /// The exchanges under way by their task's identifier.
  private let exchanges = Locked<[Int: Exchange]>([:])

  func add(_ exchange: Exchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  @discardableResult
  func remove(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    exchange(of: task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      exchange(of: dataTask)?.receive(status: response.statusCode, headers: HTTPHeaders(response))
    } else {
      exchange(of: dataTask)?.receiveSomethingElse()
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = remove(task) else { return }
    exchange.complete(error.map { TransportError($0, host: exchange.host) })
  }

  /// Refused: a redirect would carry the credential to another place and, on Linux, lose the method and the body.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    switch challenge.protectionSpace.authenticationMethod {
    #if !os(Linux)
      case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate:
        completionHandler(.performDefaultHandling, nil)
    #endif
    default:
      // On Linux the question comes after the whole response, and either answer cancels the task; so the exchange
      // takes what it has as complete. On Apple it comes first, and the refusal brings the 401 as a response.
      exchange(of: task)?.completeIfHeadArrived()
      completionHandler(.rejectProtectionSpace, nil)
    }
  }
}

extension HTTPHeaders {
  /// The fields of a response. `URLSession` keeps them in a dictionary, so they are sorted to have one order.
  fileprivate init(_ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { ($0, value as? String ?? "\(value)") }
    }
    self.init(fields.sorted { $0.0 < $1.0 })
  }
}
