import Foundation
import MeroAPI

extension CalimeroError {
  /// Something on this machine failed, a file or a store; said as ``CalimeroError/invalidInput(_:)``, which is what the
  /// client throws for whatever it cannot work with, though something may have been sent by then.
  package static func localFailure(_ text: String) -> CalimeroError { .invalidInput(localPrefix + text) }

  /// Whether it is a failure of this machine's files or stores, and not of what was asked.
  package var isLocalFailure: Bool {
    if case .invalidInput(let text) = self { text.hasPrefix(Self.localPrefix) } else { false }
  }

  private static let localPrefix = "on this machine, "

  /// Runs what also deals with files of this machine, whose failures are said in this client's words.
  static func translating<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch {
      throw CalimeroError(translating: error)
    }
  }

  /// The same for what waits for nothing.
  static func translated<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch {
      throw CalimeroError(translating: error)
    }
  }

  private init(translating error: any Error) {
    switch error {
    case let error as CalimeroError: self = error
    case is CancellationError: self = .cancelled
    case let failure as APIFailure: self = CalimeroError(failure)
    default: self = .localFailure("a file cannot be used: \(error.localizedDescription)")
    }
  }
}
