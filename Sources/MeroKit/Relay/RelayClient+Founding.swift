import Foundation
import MeroWire

/// The application of a namespace that is founded.
public struct FoundingApplication: Sendable, Hashable {
  /// The application, 64 hex.
  public var applicationId: String
  /// The package it is a version of.
  public var package: String
  /// Which version.
  public var version: String

  /// An application of these parts.
  public init(applicationId: String, package: String, version: String) {
    self.applicationId = applicationId
    self.package = package
    self.version = version
  }
}

/// A namespace that was founded.
public struct FoundedNamespace: Sendable, Hashable {
  /// Its id, 64 hex.
  public let namespaceId: String
  /// What its id was made of, beside the founder; 64 hex. Whoever keeps it can prove who founded the namespace.
  public let salt: String
  /// Whether the relay made itself the namespace's first trusted machine.
  public let teeEnabled: Bool
  /// Why it did not.
  public let teeError: String?
  /// Whether the application was set; nil when none was asked for. Without one the namespace can hold no context.
  public internal(set) var applicationSet: Bool?
  /// Why it was not.
  public internal(set) var applicationError: String?
  /// Whether new members' capabilities were set; nil when none were asked for.
  public internal(set) var defaultCapabilitiesSet: Bool?
  /// Why they were not.
  public internal(set) var defaultCapabilitiesError: String?
}

extension RelayClient {
  /// Founds a namespace, whose admin the account becomes (40 §10.4).
  ///
  /// Its id follows from the account and the salt, so that the relay can neither choose it nor found it for anybody else. What
  /// is asked for beside that is done after it, and reported in the result: the namespace is there in any case.
  ///
  /// - Parameters:
  ///   - executor: who the relay is, its key from its attestation: it becomes the namespace's first trusted machine, and is
  ///     not to be asked for its name.
  ///   - salt: 64 hex, random unless given. A salt names one namespace, for ever.
  ///   - defaultCapabilities: what new members may do (``Capabilities``).
  /// - Throws: ``MeroError/http(_:)`` with 409 when the salt names a namespace that exists. When the input is refused
  ///   nothing is sent.
  public func foundNamespace(
    executor: RelayExecutor, salt: String? = nil, defaultCapabilities: UInt32? = nil,
    application: FoundingApplication? = nil
  ) async throws -> FoundedNamespace {
    let plan = try FoundingPlan(
      founder: authorAccount, credential: authorProof, salt: salt ?? Hex.encode(random.bytes(32)),
      application: application, defaultCapabilities: defaultCapabilities)
    guard let executor = executor.normalized else {
      throw AccountError.invalidInput("the executor's account and key must be 64 hex characters each")
    }
    try check(executor)
    // The relay is not asked first: to it there is no such group yet.
    let answer = try await publish(plan.founding, in: plan.namespaceId, by: executor)
    var founded = FoundedNamespace(
      namespaceId: plan.namespaceId, salt: plan.salt, teeEnabled: answer["teeEnabled"]?.boolValue ?? false,
      teeError: answer["teeError"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 })
    if let op = plan.application {
      founded.applicationError = await failure(of: op, in: plan.namespaceId)
      founded.applicationSet = founded.applicationError == nil
    }
    if let op = plan.defaultCapabilities {
      founded.defaultCapabilitiesError = await failure(of: op, in: plan.namespaceId)
      founded.defaultCapabilitiesSet = founded.defaultCapabilitiesError == nil
    }
    return founded
  }

  /// Publishes an op, and answers why that failed. Thrown, it would take the namespace's id and salt with it.
  private func failure(of op: Warrants.GovernanceOp, in namespaceId: String) async -> String? {
    do {
      try await govern(groupId: namespaceId, op: op)
      return nil
    } catch is CancellationError {
      return "it was cancelled"
    } catch {
      return String(describing: error)
    }
  }
}

/// All that a founding signs, made before anything is sent.
private struct FoundingPlan {
  let namespaceId: String
  let salt: String
  let founding: Warrants.GovernanceOp
  let application: Warrants.GovernanceOp?
  let defaultCapabilities: Warrants.GovernanceOp?

  init(
    founder: String, credential: String, salt: String, application: FoundingApplication?,
    defaultCapabilities: UInt32?
  ) throws(AccountError) {
    self.salt = try HexField.text(salt, "salt")
    namespaceId = try GovernanceOps.namespaceId(founder: founder, salt: self.salt)
    founding = try GovernanceOps.namespaceCreated(founder: founder, credential: credential, salt: self.salt)
    if let application {
      self.application = try GovernanceOps.targetApplicationSet(
        applicationId: application.applicationId, package: application.package, version: application.version)
    } else {
      self.application = nil
    }
    if let defaultCapabilities {
      self.defaultCapabilities = try GovernanceOps.defaultCapabilitiesSet(capabilities: defaultCapabilities)
    } else {
      self.defaultCapabilities = nil
    }
  }
}
