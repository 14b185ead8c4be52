import CMicroHTTPD
import Foundation
import MeroHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What libmicrohttpd's callbacks work with: the handler, the limits and the open connections.
final class ListenerServer: Sendable {
  private struct Connections {
    var open: [UInt64: ListenerConnection] = [:]
    var nextID: UInt64 = 0
    var isStopping = false
  }

  let handler: HTTPListener.Handler
  let limits: HTTPListener.Limits
  /// Scheme, host and port of every request's URL.
  let origin: String
  private let connections = Locked(Connections())
  private let resuming = DispatchGroup()

  init(handler: @escaping HTTPListener.Handler, limits: HTTPListener.Limits, origin: String) {
    self.handler = handler
    self.limits = limits
    self.origin = origin
  }

  func opened(_ handle: OpaquePointer) -> ListenerConnection {
    let (connection, isStopping) = connections.withLock { connections in
      connections.nextID += 1
      let connection = ListenerConnection(id: connections.nextID, handle: handle, resuming: resuming)
      connections.open[connection.id] = connection
      return (connection, connections.isStopping)
    }
    if isStopping { connection.cut() }
    return connection
  }

  func closed(_ connection: ListenerConnection) {
    connections.withLock { _ = $0.open.removeValue(forKey: connection.id) }
    connection.cut()
  }

  func peerClosed(_ id: UInt64) {
    connections.withLock { $0.open[id] }?.cut()
  }

  /// Cuts every connection and those to come. Afterwards none is suspended and none will be.
  func cutAll() {
    let open = connections.withLock { connections in
      connections.isStopping = true
      return Array(connections.open.values)
    }
    for connection in open { connection.cut() }
    // To resume a connection of a stopped daemon, or to stop one with a suspended connection, is an error that
    // libmicrohttpd answers by ending the process. So wake-ups that other threads have begun are waited for.
    resuming.wait()
  }
}

/// A running libmicrohttpd with one thread of its own.
///
/// `@unchecked Sendable` is sound: `handle` is only passed to `MHD_stop_daemon`, once, by whoever takes it from
/// `isStopped`.
final class ListenerDaemon: @unchecked Sendable {
  let port: UInt16
  private let handle: OpaquePointer
  private let server: ListenerServer
  private let peers: PeerWatch
  private let context: Unmanaged<Context>
  private let isStopped = Locked(false)

  init(
    port: UInt16, host: String, limits: HTTPListener.Limits, handler: @escaping HTTPListener.Handler
  ) throws(ListenerError) {
    // Bound here rather than in libmicrohttpd, which would not say why it failed.
    let socket = try port == 0 ? AnyPort.open(host: host) : ListeningSocket(port: port, host: host)
    let origin = "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(socket.port)"
    let server = ListenerServer(handler: handler, limits: limits, origin: origin)
    guard let peers = PeerWatch(closed: { server.peerClosed($0) }) else {
      close(socket.descriptor)
      throw .failed("no event queue is left")
    }
    let context = Unmanaged.passRetained(Context(server: server, peers: peers))
    // A head needs room beside the parsed fields; beyond the limit it is refused by us, with words.
    let memory = max(64 << 10, limits.head * 2 + (32 << 10))
    guard
      let handle = merokit_start_daemon(
        socket.descriptor, memory, limits.connections, connected, begun, received, completed,
        context.toOpaque())
    else {
      peers.stop()
      context.release()
      close(socket.descriptor)
      throw .failed("libmicrohttpd did not start")
    }
    self.port = socket.port
    self.handle = handle
    self.server = server
    self.peers = peers
    self.context = context
  }

  /// Ends all connections and waits for libmicrohttpd's thread. Must not be called on that thread.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    server.cutAll()
    MHD_stop_daemon(handle)
    peers.stop()
    context.release()
  }
}

/// What the callbacks get as their context.
private final class Context: Sendable {
  let server: ListenerServer
  let peers: PeerWatch

  init(server: ListenerServer, peers: PeerWatch) {
    self.server = server
    self.peers = peers
  }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> Context? {
    pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
  }
}

// libmicrohttpd calls these on its thread.

/// A connection was opened or closed; `slot` keeps our object in between.
private func connected(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let context = Context.from(context), let handle, let slot else { return }
  if code == merokit_connection_started {
    let connection = context.server.opened(handle)
    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    context.peers.add(merokit_connection_socket(handle), id: connection.id)
  } else if let pointer = slot.pointee {
    slot.pointee = nil
    context.server.closed(Unmanaged<ListenerConnection>.fromOpaque(pointer).takeRetainedValue())
  }
}

/// A request line was read. What is returned comes back as the request's context until `completed`.
private func begun(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = Context.from(context), let target, let handle,
    let pointer = merokit_connection_context(handle)
  else { return nil }
  let connection = Unmanaged<ListenerConnection>.fromOpaque(pointer).takeUnretainedValue()
  let exchange = ListenerExchange(context.server, connection, target: String(cString: target))
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func received(
  _: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?,
  _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let handle, let method, let version, let count, let pointer = slot?.pointee else { return merokit_no }
  let exchange = Unmanaged<ListenerExchange>.fromOpaque(pointer).takeUnretainedValue()
  let data = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count.pointee)
  let result = exchange.receive(
    handle, method: String(cString: method), version: String(cString: version), data: data)
  // Everything given was taken.
  if !data.isEmpty { count.pointee = 0 }
  return result
}

private func completed(
  _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _: MHD_RequestTerminationCode
) {
  guard let slot, let pointer = slot.pointee else { return }
  slot.pointee = nil
  Unmanaged<ListenerExchange>.fromOpaque(pointer).takeRetainedValue().end()
}
