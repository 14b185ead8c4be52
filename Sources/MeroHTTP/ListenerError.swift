/// Why a listener could not be started.
package enum ListenerError: Error, Sendable, Hashable, CustomStringConvertible {
  case portTaken(UInt16)
  case portNotPermitted(UInt16)
  case notAnAddress(String)
  case failed(String)

  package var description: String {
    switch self {
    case .portTaken(let port): "port \(port) is taken by another program"
    case .portNotPermitted(let port): "this user may not listen on port \(port)"
    case .notAnAddress(let host): "\(host) is not an address of this machine, such as 127.0.0.1"
    case .failed(let reason): "the listener could not be started: \(reason)"
    }
  }
}
