import Foundation

/// Whether a request came to a name of this machine. A browser names the host of the page's address, also where that host
/// was made to lead to loopback (DNS rebinding).
package enum LoopbackName {
  /// - Parameter headers: those of the request.
  package static func isNamed(in headers: HTTPHeaders) -> Bool {
    guard let host = headers["host"], let name = URLComponents(string: "http://\(host)")?.host else {
      return false
    }
    return Loopback.isLoopback(host: name)
  }
}
