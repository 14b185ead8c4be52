import Foundation
import MeroHTTP

/// Whether a request came to a name of this machine. A browser names the host of the page's address, also where that host
/// was made to lead to loopback (DNS rebinding).
package enum LoopbackName {
  package static func isNamed(in request: HTTPRequest) -> Bool {
    guard let host = request.headers["host"], let name = URLComponents(string: "http://\(host)")?.host else {
      return false
    }
    return Loopback.isLoopback(host: name)
  }
}
