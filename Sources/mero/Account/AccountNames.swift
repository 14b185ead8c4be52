import MeroKit
import MeroWire

/// The names of contexts, groups and packages as they are typed, checked before anybody is asked.
extension AccountInvocation {
  /// The id of a namespace or a group.
  func group(_ word: String) throws -> String {
    guard let bytes = try? Hex.decode(word, count: 32) else {
      throw UsageError("a namespace or group is named by 64 hex digits, not “\(word)”")
    }
    return Hex.encode(bytes)
  }

  /// The id of a context; of an older relay it may be base58, and stays that.
  func context(_ word: String) throws -> String {
    if let bytes = try? Hex.decode(word, count: 32) { return Hex.encode(bytes) }
    guard (try? Base58.decode(word, count: 32)) != nil else {
      throw UsageError("a context is named by 64 hex digits, not “\(word)”")
    }
    return word
  }

  /// The name of a package: words of letters, digits, hyphens and underscores between dots.
  static func package(_ word: String) throws -> String {
    let isName = word.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    guard isName, word.utf8.count <= 128 else {
      throw UsageError("a package is named like com.example.notes, not “\(word)”")
    }
    return word
  }

  /// Whether an application is one that the registry has under a package's name; nil when that cannot be told now.
  func isApplication(_ id: String, of package: String) async -> Bool? {
    do {
      let bundles = try await ApplicationRegistry.bundles(
        registryURL: registry.absoluteString, package: package, transport: surroundings.transport)
      return bundles.contains { bundle in
        bundle.signerId.map { ApplicationRegistry.applicationId(package: package, signerId: $0) }
          == id.lowercased()
      }
    } catch let error as MeroError where error.httpStatus == 404 {
      return false
    } catch { return nil }
  }

  /// Does work at a relay, and names what it was about when the relay says that there is no such thing.
  func naming<Value>(
    _ what: String, at session: DelegatedSession, _ work: () async throws -> Value
  ) async throws -> Value {
    do { return try await work() } catch let error as MeroError where error.httpStatus == 404 {
      throw ToolError("there is no \(what) at the relay \(session.relayUrl ?? "-") (it says: \(error))")
    }
  }
}
