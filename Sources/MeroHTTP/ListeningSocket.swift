import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bound, listening TCP socket. Whoever takes `descriptor` closes it.
package struct ListeningSocket {
  package let descriptor: Int32
  package let port: UInt16

  /// Binds and listens, on any port when it is 0.
  package init(port: UInt16, host: String) throws(ListenerError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      throw .notAnAddress(host)
    }
    defer { freeaddrinfo(found) }

    let descriptor = socket(
      address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
    guard descriptor >= 0 else { throw .failed(Self.reason(errno)) }
    do throws(ListenerError) {
      self.port = try Self.bindAndListen(descriptor, address.pointee, port: port, host: host)
      self.descriptor = descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func bindAndListen(
    _ descriptor: Int32, _ address: addrinfo, port: UInt16, host: String
  ) throws(ListenerError) -> UInt16 {
    // A restart must not wait for old connections to time out. A port that somebody listens on stays taken.
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      switch errno {
      case EADDRINUSE: throw .portTaken(port)
      case EACCES: throw .portNotPermitted(port)
      case EADDRNOTAVAIL: throw .notAnAddress(host)
      default: throw .failed(reason(errno))
      }
    }
    guard listen(descriptor, 1_024) == 0 else {
      throw errno == EADDRINUSE ? .portTaken(port) : .failed(reason(errno))
    }
    return try boundPort(descriptor)
  }

  private static func boundPort(_ descriptor: Int32) throws(ListenerError) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let port: UInt16? = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return nil }
        // IPv4 and IPv6 addresses have the port at the same place.
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          UInt16(bigEndian: $0.pointee.sin_port)
        }
      }
    }
    guard let port else { throw .failed(reason(errno)) }
    return port
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
