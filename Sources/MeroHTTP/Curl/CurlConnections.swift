#if canImport(CCurl)
  import Foundation

  /// The connections of libcurl, kept for the next request and never shared with another transport.
  final class CurlConnections: Connections {
    let engine: CurlEngine

    init(rules: KeptConnections.Rules = KeptConnections.Rules()) {
      engine = CurlEngine(rules: rules)
    }

    deinit {
      // Bodies that are still being read go on; the thread ends with the last of them.
      engine.retire()
    }

    func exchange(for request: HTTPRequest, clock: MeroClock) throws -> Exchange {
      let transfer = CurlTransfer(try CurlRequest(request), engine: engine)
      return Exchange(task: PacedTask(transfer, clock: clock), request: request, clock: clock)
    }
  }
#endif
