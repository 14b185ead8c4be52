import Foundation
import MeroHTTP
import MeroWire

/// Keeps one value: in memory, in a private file, in the Keychain, or wherever an app wants it.
///
/// ```swift
/// let keys = DeviceKeyStore.keychain(account: "cloud-device-keys")
/// let session = AnyValueStore<CloudSession>.memory()
/// ```
///
/// That nothing is kept and that it cannot be read now are different answers: a device whose Keychain is locked must
/// not be taken for a new one.
public struct AnyValueStore<Value: Sendable>: Sendable {
  private let reading: @Sendable () throws -> Value?
  private let writing: @Sendable (Value) throws -> Void
  private let clearing: @Sendable () throws -> Void
  /// Keeps a value where none is kept; answers what is kept then.
  private let adding: @Sendable (Value) throws -> Value

  /// A store made of these three.
  public init(
    load: @escaping @Sendable () throws -> Value?, save: @escaping @Sendable (Value) throws -> Void,
    clear: @escaping @Sendable () throws -> Void
  ) {
    self.init(load: load, save: save, clear: clear) { value in
      // As near as three functions come: whoever was faster is seen before the writing, and mostly after it.
      if let kept = try load() { return kept }
      try save(value)
      return try load() ?? value
    }
  }

  private init(
    load: @escaping @Sendable () throws -> Value?, save: @escaping @Sendable (Value) throws -> Void,
    clear: @escaping @Sendable () throws -> Void, add: @escaping @Sendable (Value) throws -> Value
  ) {
    reading = load
    writing = save
    clearing = clear
    adding = add
  }

  /// What is kept; nil for nothing, and for something that is no such value.
  ///
  /// - Throws: when it cannot be read now.
  public func load() throws -> Value? { try reading() }
  /// Replaces what is kept.
  public func save(_ value: Value) throws { try writing(value) }
  /// Forgets what is kept.
  public func clear() throws { try clearing() }

  /// Keeps a value unless one is kept already: of several processes that need a first one, all get the same.
  ///
  /// - Returns: what is kept.
  func add(_ value: Value) throws -> Value { try adding(value) }

  /// A store that ends with the process.
  public static func memory(_ value: Value? = nil) -> AnyValueStore {
    let kept = Locked(value)
    return AnyValueStore(
      load: { kept.withLock { $0 } }, save: { value in kept.withLock { $0 = value } },
      clear: { kept.withLock { $0 = nil } },
      add: { value in
        kept.withLock { kept in
          let first = kept ?? value
          kept = first
          return first
        }
      })
  }
}

extension AnyValueStore where Value: Codable {
  /// A store in a file that only its owner can read, replaced as a whole. Folders that are missing are made.
  public static func file(url: URL) -> AnyValueStore {
    let file = PrivateFile(path: url.path)
    return AnyValueStore(read: file.read, write: file.write, remove: file.remove, add: file.add)
  }

  /// A store in the Keychain of this device, readable after the first unlock; on Linux a private file under the user's
  /// data folder.
  public static func keychain(
    service: String = "network.calimero.merokit", account: String, accessGroup: String? = nil
  ) -> AnyValueStore {
    let item = SecretItem(service: service, account: account, accessGroup: accessGroup)
    return AnyValueStore(read: item.read, write: item.write, remove: item.remove, add: item.add)
  }

  private init(
    read: @escaping @Sendable () throws -> Data?, write: @escaping @Sendable (Data) throws -> Void,
    remove: @escaping @Sendable () throws -> Void, add: @escaping @Sendable (Data) throws -> Bool
  ) {
    // What is no such value is lost already, and must not stand in the way of a new one for ever.
    @Sendable func load() throws -> Value? {
      try read().flatMap { try? ExactJSON.decode(Value.self, from: $0) }
    }
    self.init(
      load: load, save: { try write(try ExactJSON.encode($0)) }, clear: remove,
      add: { value in
        let data = try ExactJSON.encode(value)
        if try add(data) { return value }
        if let kept = try load() { return kept }
        try write(data)
        return value
      })
  }
}
