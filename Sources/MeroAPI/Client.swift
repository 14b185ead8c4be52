/// Every operation of the node's API, one method each, answering with everything the document says may come back.
///
/// A refusal is an answer here, not an error: switch over the `Output`, or use the groups of `CalimeroClient`
/// (`client.orgs.get(org:)`), which answer the success alone and throw the rest. Event streams have no method:
/// they are read with `CalimeroClient.events(_:)`.
///
/// ```swift
/// switch try await client.api.orgGet(.init(path: .init(org: id))) {
/// case .ok(let answer): print(try answer.body.json.name)
/// case .notFound: print("no such organization")
/// default: break
/// }
/// ```
public struct Client: Sendable {
  private let transport: any APITransport

  /// A client that sends through the given transport.
  public init(transport: any APITransport) {
    self.transport = transport
  }

  func perform<Output: OperationOutput>(_ input: some OperationInput) async throws -> Output {
    let request: APIRequest
    do {
      request = try input.request()
    } catch {
      throw transport.error(for: error)
    }
    let response = try await transport.send(request)
    do {
      return try Output(response: response)
    } catch {
      throw transport.error(for: error)
    }
  }
}

/// The typed input of an operation.
package protocol OperationInput: Sendable {
  /// The operation it is the input of.
  static var operation: APIOperation { get }
  /// The request it stands for.
  func request() throws(APIFailure) -> APIRequest
}

/// The typed output of an operation.
package protocol OperationOutput: Sendable {
  /// Reads a node's answer.
  init(response: APIResponse) throws(APIFailure)
}
