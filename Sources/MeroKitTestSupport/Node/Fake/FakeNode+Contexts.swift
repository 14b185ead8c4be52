import Foundation
import MeroWire

/// Applications, contexts and blobs a test begins with.
extension FakeNode {
  // MARK: Who the node is

  /// The account whose device the node is, 64 hex.
  public var account: String { store.withState { $0.governance.identity.account } }
  /// The node's device, 64 hex.
  public var device: String { store.withState { $0.governance.identity.device } }
  /// The key the node signs with in every context, 64 hex.
  public var signingKey: String { store.withState { $0.governance.identity.key } }

  // MARK: Applications

  /// Makes a version of a package available to `install-application`. ``FakePackage/chat``, ``FakePackage/keyValue``
  /// and ``FakePackage/probe`` are from the beginning.
  public func publish(_ package: FakePackage) { store.withState { $0.applications.publish(package) } }

  /// Puts a signed bundle on the node's disk, for `install-dev-application`.
  public func placeBundle(_ package: FakePackage, at path: String) {
    store.withState { $0.applications.place(package, at: path) }
  }

  /// Lets development builds come only from this directory; nil for any.
  public func confineDevelopmentBuilds(to directory: String?) {
    store.withState { $0.applications.developmentRoot = directory }
  }

  /// Installs a version of a package and answers the application's id. Chat and key-value are from the beginning.
  @discardableResult
  public func installApplication(_ package: FakePackage) -> String {
    store.withState { state in
      state.applications.publish(package)
      return state.install(package).applicationId
    }
  }

  // MARK: Contexts

  /// Founds a namespace of the node's account whose contexts run a package, installing it where it is not, and answers
  /// its id.
  public func makeNamespace(of package: FakePackage = .chat, name: String? = nil) -> String {
    let now = Int64((store.clock.now().timeIntervalSince1970 * 1000).rounded())
    return store.withState { state in
      let build = state.applications.installedBuild(of: package) ?? state.install(package)
      return state.governance.foundNamespace(build, name: name, random: state.random, at: now)
    }
  }

  /// Makes a context that runs a package, in a group or in a namespace founded for it, and answers its id.
  ///
  /// `arguments` go to the package's `initialize`, which must take them.
  public func makeContext(
    of package: FakePackage = .chat, in group: String? = nil, arguments: JSONValue = [:], name: String? = nil
  ) -> String {
    let group = group ?? makeNamespace(of: package)
    let now = store.clock.now()
    return store.withState { state in
      let build = state.applications.installedBuild(of: package) ?? state.install(package)
      let id = state.makeId()
      do {
        try state.createContext(
          id, in: group, running: build, arguments: arguments, name: name,
          by: state.governance.identity.account, at: now)
      } catch {
        preconditionFailure("\(package.name) refused to begin: \(error)")
      }
      return id
    }
  }

  /// The contexts the node knows, in the order they came.
  public var contextIds: [String] { store.withState { $0.contexts.ids } }

  /// Says whether a context's state has arrived; executions are `Uninitialized` until then.
  public func setInitialised(_ isInitialised: Bool, context: String) {
    store.withState { $0.contexts.update(context) { $0.isInitialised = isInitialised } }
  }

  /// Says whether a context's group key is yet to be delivered; executions are `GroupKeyPending` until it is.
  public func setKeyPending(_ isPending: Bool, context: String) {
    store.withState { $0.contexts.update(context) { $0.isKeyPending = isPending } }
  }

  /// How syncing a context goes: `sync_status` says it, and who follows the context is told. `state` is a word of
  /// 10 §3 with what belongs to it, such as `["state": "backingOff", "retry_in_secs": 8]`.
  public func setSyncStatus(
    _ state: JSONValue, context: String, failures: Int = 0, lastError: String? = nil
  ) {
    let now = store.clock.now()
    let status = NodeContext.SyncStatus(state: state, failures: failures, lastError: lastError)
    store.withState {
      $0.contexts.update(context) { $0.sync = status }
      $0.send(.syncStatus(in: context, status), at: now)
    }
  }

  /// A peer wrote: runs a method as another account, as if its write had come by sync.
  @discardableResult
  public func write(
    _ method: String, _ arguments: JSONValue = [:], context: String, as account: String
  ) throws -> JSONValue {
    let now = store.clock.now()
    return try store.withState {
      try $0.execute(method, arguments, in: context, as: account, at: now).output
    }
  }

  /// What methods answer, by name, without being run and in any context.
  public var rpcOutputs: [String: JSONValue] {
    get { store.withState { $0.rpcOutputs } }
    set { store.withState { $0.rpcOutputs = newValue } }
  }

  // MARK: Blobs

  /// Puts a blob on the node, held for a context or for none, and answers its id.
  @discardableResult
  public func addBlob(_ bytes: Data, context: String? = nil) -> String {
    store.withState { $0.blobs.add(bytes, in: context).id }
  }

  /// Puts a blob at a peer of a context, where the node finds it when asked with that context. Answers its id.
  @discardableResult
  public func addPeerBlob(_ bytes: Data, context: String) -> String {
    store.withState { $0.blobs.addAtPeer(bytes, in: context).id }
  }

  /// The contexts a blob is held for.
  public func contexts(ofBlob id: String) -> Set<String> { store.withState { $0.blobs[id]?.contexts ?? [] } }
}

extension NodeApplications {
  /// The build of this very version, where it is installed.
  func installedBuild(of package: FakePackage) -> NodeBuild? {
    named(package.name)?.builds.first { $0.blobId == NodeBlobs.id(of: Self.bytecode(of: package)) }
  }
}
