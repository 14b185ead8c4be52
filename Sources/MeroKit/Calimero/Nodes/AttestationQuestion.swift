import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// Why a node has no attested key now.
package enum AttestationTrouble: Error, Sendable, Hashable {
  /// It could not be asked, or something that only moves bytes failed: ask again.
  case unreachable(String)
  /// What it presented does not hold: not to be used for a while.
  case refused(CalimeroError)
}

/// Asks a node for its attestation, in the clear (70 §2.5).
///
/// This and the two sealed endpoints are all that ever goes to a node in the clear; nothing in it says who asks or
/// why. Nothing of the answer is believed yet.
package struct AttestationQuestion: Sendable {
  private let transport: any HTTPTransport
  private let timeout: TimeInterval
  private let connectTimeout: TimeInterval?

  package init(transport: any HTTPTransport, timeout: TimeInterval, connectTimeout: TimeInterval? = nil) {
    self.transport = transport
    self.timeout = timeout
    self.connectTimeout = connectTimeout
  }

  /// - Parameter includeCollateral: whether to ask for what Intel signed about the platform.
  /// - Throws: `AttestationTrouble`, and `CancellationError`.
  package func ask(
    _ base: URL, nonce: [UInt8], includeCollateral: Bool = true
  ) async throws -> AttestationClaim {
    let question: JSONValue = [
      "nonce": .string(Hex.encode(nonce)), "bindTransportKey": true, "bindCluster": true,
      "includeCollateral": .bool(includeCollateral),
    ]
    let body = try await answer(of: base, to: question)
    do throws(AttestationFailure) {
      return try AttestationClaim(parsing: body, node: base)
    } catch {
      throw AttestationTrouble.refused(.attestation(error))
    }
  }

  private func answer(of base: URL, to question: JSONValue) async throws -> Data {
    let request = HTTPRequest(
      .post, base.appendingInnerPath("/tee/attest"),
      headers: ["accept": "application/json", "content-type": "application/json"],
      body: .data(question.data()), connectTimeout: connectTimeout, timeout: timeout, idleTimeout: timeout)
    do {
      let response = try await transport.send(request)
      guard response.status == 200 else {
        response.body.cancel()
        let text = "POST /tee/attest was answered with \(response.status)"
        if response.status == 429 || response.status >= 500 { throw AttestationTrouble.unreachable(text) }
        throw AttestationTrouble.refused(
          .attestation(AttestationFailure(reason: .notOffered, node: base, text: text)))
      }
      return try await response.body.collect(upTo: AnswerLimit.attestation)
    } catch let error as TransportError where error.kind == .tooLarge {
      throw AttestationTrouble.refused(
        .decoding(.tooLarge(limit: AnswerLimit.attestation, operation: "public_attest")))
    } catch let error as TransportError {
      throw AttestationTrouble.unreachable(error.text)
    }
  }
}

/// What a node says of itself, before anything of it is believed.
package struct AttestationClaim: Sendable {
  package let quote: [UInt8]
  package let transportKey: [UInt8]
  package let clusterId: [UInt8]
  package let release: String?
  package let collateral: JSONValue?

  /// Reads an answer to `POST /tee/attest`, bare or inside `data`.
  init(parsing body: Data, node: URL) throws(AttestationFailure) {
    func malformed(_ text: String) -> AttestationFailure {
      AttestationFailure(reason: .malformed, node: node, text: text)
    }
    guard let answer = try? JSONValue(parsing: body), answer.objectValue != nil else {
      throw malformed("the answer is not a JSON object")
    }
    let claim = answer["quoteB64"] == nil ? answer["data"] ?? answer : answer
    guard let text = claim["quoteB64"]?.stringValue, let quote = Data(base64Encoded: text), !quote.isEmpty
    else { throw malformed("quoteB64 is not base64") }
    guard let key = Self.bytes32(claim["transportPublicKey"]) else {
      throw malformed("transportPublicKey is not 32 bytes of hex")
    }
    guard let cluster = Self.bytes32(claim["clusterId"]) else {
      throw malformed("clusterId is not 32 bytes of hex")
    }
    self.quote = Array(quote)
    transportKey = key
    clusterId = cluster
    release = claim["release"]?.stringValue
    collateral = claim["collateral"].flatMap { $0.isNull ? JSONValue?.none : $0 }
  }

  /// The quote together with what it has to commit to: our nonce, and the key and cluster the answer names.
  package func evidence(nonce: [UInt8], host: String) -> QuoteEvidence {
    let suffix = ReportData.transportBinding(
      inner: ReportData.clusterBinding(clusterId), key: transportKey)
    return QuoteEvidence(
      quote: quote, collateral: collateral, nonce: nonce,
      expectedReportData: ReportData.make(nonce: nonce, suffix: suffix), host: host, release: release)
  }

  private static func bytes32(_ value: JSONValue?) -> [UInt8]? {
    guard let text = value?.stringValue else { return nil }
    return try? Hex.decode(text.lowercased(), count: 32, field: "value")
  }
}

extension AttestationFailure: Error {}

extension URL {
  /// The address of an inner path at this base URL, which has no trailing slash.
  func appendingInnerPath(_ path: String) -> URL {
    // A base URL was normalised and a fixed path is plain ASCII, so this text is always a URL.
    URL(string: absoluteString + path) ?? self
  }
}
