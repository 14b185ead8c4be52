import Foundation
import MeroAPI
import MeroWire

@testable import MeroKit

/// A call of one facade method with every argument it has. A text argument is the name of its parameter, so that
/// the request shows where it went; numbers are 7.
struct FacadeCall: CustomStringConvertible {
  let operation: String
  let run: @Sendable (Groups) async throws -> Void

  init(_ operation: String, _ run: @escaping @Sendable (Groups) async throws -> Void) {
    self.operation = operation
    self.run = run
  }

  var description: String { operation }

  static let all: [FacadeCall] =
    auth + apps + orgs + consent + ops + packages + deployments + publicApi

  static let bytes = Data([1, 2, 3])
  static let passkey = NoPasskey()
  static let signer = NoSigner()
  static let options = RequestOptions(timeout: 3)
  static let registration = RegistrationCredential(
    id: "i", rawId: "r", type: "public-key", response: .init(clientDataJSON: "c", attestationObject: "a"))
  static let assertion = AssertionCredential(
    id: "i", rawId: "r", type: "public-key",
    response: .init(clientDataJSON: "c", authenticatorData: "a", signature: "s"))
}

/// The facade's groups over any caller.
struct Groups: Sendable {
  let caller: any FacadeCaller

  var auth: CalimeroClient.AuthApi { .init(caller: caller) }
  var apps: CalimeroClient.AppsApi { .init(caller: caller) }
  var orgs: CalimeroClient.OrgsApi { .init(caller: caller) }
  var consent: CalimeroClient.ConsentApi { .init(caller: caller) }
  var ops: CalimeroClient.OpsApi { .init(caller: caller) }
  var packages: CalimeroClient.PackagesApi { .init(caller: caller) }
  var deployments: CalimeroClient.DeploymentsApi { .init(caller: caller) }
  var publicApi: CalimeroClient.PublicApi { .init(caller: caller) }
}

/// An authenticator that is only handed on.
struct NoPasskey: PasskeyProvider {
  func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential {
    throw PasskeyFailure.cancelled
  }

  func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential {
    throw PasskeyFailure.cancelled
  }
}

/// A signer that is only handed on.
struct NoSigner: OperatorSigner {
  let publicKey = [UInt8](repeating: 0, count: 32)

  func sign(_ statement: OperatorStatement) async throws -> [UInt8] { throw CancellationError() }
}

/// Keeps what it was asked and answers from a list.
actor RecordingCaller: FacadeCaller {
  struct Asked: Sendable {
    let request: APIRequest
    let hasPasskey: Bool
    let hasSigner: Bool
    let options: RequestOptions
  }

  private(set) var asked: [Asked] = []
  private var answers: [Result<APIResponse, CalimeroError>]

  init(_ answers: [Result<APIResponse, CalimeroError>] = []) {
    self.answers = answers.reversed()
  }

  /// Answers each request with the next of these bodies and status 200.
  init(bodies: [String]) {
    self.init(bodies.map { .success(APIResponse(status: 200, body: Data($0.utf8))) })
  }

  func perform(
    _ request: APIRequest, passkey: (any PasskeyProvider)?, operatorSigner: (any OperatorSigner)?,
    options: RequestOptions
  ) async throws -> APIResponse {
    asked.append(
      Asked(request: request, hasPasskey: passkey != nil, hasSigner: operatorSigner != nil, options: options))
    guard let answer = answers.popLast() else { throw CalimeroError.cancelled }
    return try answer.get()
  }
}
