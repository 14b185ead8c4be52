import Foundation
import MeroHTTP

/// One request on its way to one node: tried again while the node is away, renewed once when its bearer is old.
struct NodeCall: Sendable {
  private let request: NodeRequest
  private let http: NodeHTTP
  private let url: URL
  /// Whether the answer comes from who gave us the tokens, so that it may end the session.
  private let isHome: Bool

  /// - Throws: ``MeroError/network(_:)`` when the request cannot have an address.
  init(_ request: NodeRequest, over http: NodeHTTP) throws(MeroError) {
    self.request = request
    self.http = http
    url = try http.address(of: request)
    isHome = !request.bringsOwnCredential && NodeOrigin(url) == NodeOrigin(http.baseURL)
  }

  /// Sends the request, and reads what is wanted of an answer within 2xx.
  ///
  /// - Parameter attempts: how often at most, unless the request says so itself.
  func run<T: Sendable>(
    attempts: Int, read: @escaping @Sendable (HTTPResponse) async throws -> T
  ) async throws -> T {
    // A credential given for one request is for one request.
    let attempts = request.bringsOwnCredential ? 1 : max(1, request.attempts ?? attempts)
    var attempt = 1
    while true {
      do {
        return try await renewing(read)
      } catch let error as MeroError where attempt < attempts && error.isRetryable {
        let retryAfter = error.http?.retryAfter(now: http.clock.now())
        try await http.clock.sleep(
          NodeRetry.wait(after: attempt, retryAfter: retryAfter, unit: http.random.unit()))
        attempt += 1
      }
    }
  }

  /// One try. An old bearer is renewed and the request sent once more, within the same time.
  private func renewing<T: Sendable>(
    _ read: @escaping @Sendable (HTTPResponse) async throws -> T
  ) async throws -> T {
    let begin = http.clock.uptime()
    let limit = request.timeout ?? (request.idleTimeout == nil ? http.timeout : .infinity)
    let sent = isHome ? await http.session?.bearer() : nil
    do {
      return try await exchange(sent, within: limit, read)
    } catch MeroError.http(let refusal) where refusal.isExpiredToken {
      guard let session = http.session, let sent, request.canRefresh else { throw MeroError.http(refusal) }
      let fresh = try await renew(sent, refusal, session)
      let left = limit - (http.clock.uptime() - begin)
      // A timeout would hide why the request failed.
      guard left > 0 else { throw MeroError.http(refusal) }
      return try await exchange(fresh, within: left, read)
    }
  }

  private func renew(_ sent: String, _ refusal: HTTPError, _ session: any NodeSession) async throws -> String
  {
    do {
      return try await session.refresh(sent: sent)
    } catch MeroError.authRevoked(let reason, let http) {
      throw MeroError.authRevoked(reason: reason, http: http)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The session may still be good; what this request got is what its caller can act on.
      throw MeroError.http(refusal)
    }
  }

  /// Sends the request once.
  private func exchange<T: Sendable>(
    _ bearer: String?, within limit: TimeInterval,
    _ read: @escaping @Sendable (HTTPResponse) async throws -> T
  ) async throws -> T {
    let outgoing = request.httpRequest(to: url, bearer: bearer, timeout: limit)
    let outcome: Outcome<T>
    do {
      outcome = try await withDeadline(limit, clock: http.clock) { [http, url] in
        let response = try await http.transport.send(outgoing)
        guard (200..<300).contains(response.status) else {
          return .refused(try await HTTPError(response, from: url))
        }
        return .answered(try await read(response))
      }
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      // A relay that could not be proven is another matter than one that could not be reached.
      if let error = error as? AccountError { throw error }
      throw MeroError(error)
    }
    switch outcome {
    case .answered(let value): return value
    case .refused(let refusal): throw await error(refusal, bearer: bearer)
    }
  }

  private enum Outcome<T: Sendable>: Sendable {
    case answered(T)
    case refused(HTTPError)
  }

  private func error(_ refusal: HTTPError, bearer: String?) async -> MeroError {
    guard isHome, let reason = refusal.revocation else { return .http(refusal) }
    guard let session = http.session else { return .authRevoked(reason: reason, http: refusal) }
    return await session.revoked(reason, http: refusal, sent: bearer)
  }
}

extension HTTPError {
  /// Reads a refusal. What can be read of its body counts; it may be cut off.
  init(_ response: HTTPResponse, from url: URL) async throws {
    var body = Data()
    do {
      body = try await response.body.collectPrefix(Self.bodyLimit)
    } catch is CancellationError {
      throw CancellationError()
    } catch {}
    self.init(
      status: response.status, url: url.absoluteString, headers: response.headers,
      bodyText: String(decoding: body, as: UTF8.self))
  }
}
