import Foundation
import MeroAPI

/// What the generated groups (`client.orgs`, `client.apps`, ...) call: the client's core.
protocol FacadeCaller: Sendable {
  /// Performs a request with everything the client does about it: credentials, tries, a confirmation, a signature.
  ///
  /// - Returns: An answer with a status of 2xx.
  /// - Throws: ``CalimeroError``.
  func perform(
    _ request: APIRequest, passkey: (any PasskeyProvider)?, operatorSigner: (any OperatorSigner)?,
    options: RequestOptions
  ) async throws -> APIResponse
}

extension FacadeCaller {
  /// Performs an operation that answers JSON.
  func json<Input: OperationInput, Payload: Decodable>(
    _ input: Input, passkey: (any PasskeyProvider)? = nil, operatorSigner: (any OperatorSigner)? = nil,
    options: RequestOptions
  ) async throws -> Payload {
    let response = try await send(input, passkey, operatorSigner, options)
    do {
      return try response.json(of: Input.operation)
    } catch {
      throw CalimeroError(error)
    }
  }

  /// Performs an operation that answers bytes.
  func bytes(
    _ input: some OperationInput, passkey: (any PasskeyProvider)? = nil,
    operatorSigner: (any OperatorSigner)? = nil, options: RequestOptions
  ) async throws -> Data {
    try await send(input, passkey, operatorSigner, options).body
  }

  /// Performs an operation that answers nothing.
  func nothing(
    _ input: some OperationInput, passkey: (any PasskeyProvider)? = nil,
    operatorSigner: (any OperatorSigner)? = nil, options: RequestOptions
  ) async throws {
    _ = try await send(input, passkey, operatorSigner, options)
  }

  private func send(
    _ input: some OperationInput, _ passkey: (any PasskeyProvider)?, _ signer: (any OperatorSigner)?,
    _ options: RequestOptions
  ) async throws -> APIResponse {
    let request: APIRequest
    do {
      request = try input.request()
    } catch {
      throw CalimeroError(error)
    }
    return try await perform(request, passkey: passkey, operatorSigner: signer, options: options)
  }
}

extension APITransport where Self: FacadeCaller {
  /// What `client.api` throws is what the rest of the client throws.
  func error(for failure: APIFailure) -> any Error { CalimeroError(failure) }
}

extension CalimeroError {
  /// A request that could not be written, or an answer that could not be read.
  init(_ failure: APIFailure) {
    switch failure {
    case .invalidInput(let text): self = .invalidInput(text)
    case .decoding(let operation, let path, let reason):
      self = .decoding(DecodingFailure(path: path, reason: reason, operation: operation))
    }
  }
}
