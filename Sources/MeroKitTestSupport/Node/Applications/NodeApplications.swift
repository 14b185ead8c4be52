import Foundation
import MeroCrypto
import MeroWire

/// One build of an application on the node: a version of its package, as bytecode in the blob store.
struct NodeBuild: Sendable {
  let package: FakePackage
  let applicationId: String
  /// The blob of the bytecode: what `appKey` and `blobId` name.
  let blobId: String
  /// The blob of what it was compiled to.
  let compiledId: String
  let size: Int

  var version: String { package.version }
}

/// An installed application: every version of one package by one signer.
struct NodeApplication: Sendable {
  let id: String
  let package: String
  let signer: String
  /// In the order they were installed.
  var builds: [NodeBuild]

  /// The build new contexts run.
  var latest: NodeBuild? { builds.last }
}

/// What is installed, and what the registry would give.
struct NodeApplications: Sendable {
  /// Bundles by package and version, as the node's registry publishes them.
  private var published: [String: [String: FakePackage]] = [:]
  /// Signed bundles on the node's own disk, by path.
  private var files: [String: FakePackage] = [:]
  /// The only directory development builds may come from; nil for any.
  var developmentRoot: String?
  private(set) var installed: [NodeApplication] = []

  static let signer = FakeNode.packageSigner
  static let registry = "https://apps.calimero.network"

  /// All versions of a package by one signer share the id.
  static func id(of package: String) -> String {
    // 30 §4.6: two texts, each behind its length.
    let parts = [package, signer].flatMap { text in
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { Array($0) } + Array(text.utf8)
    }
    return Hex.encode(SHA256.hash(parts))
  }

  /// The bytes that stand for a package's bytecode.
  static func bytecode(of package: FakePackage) -> Data {
    Data("\u{0}asm \(package.name)@\(package.version) \(package.codeHash)".utf8)
  }

  mutating func publish(_ package: FakePackage) {
    published[package.name, default: [:]][package.version] = package
  }

  mutating func place(_ package: FakePackage, at path: String) { files[path] = package }

  func published(_ name: String, _ version: String) -> FakePackage? { published[name]?[version] }

  func file(at path: String) -> FakePackage? { files[path] }

  subscript(id: String) -> NodeApplication? { installed.first { $0.id == id } }

  func named(_ package: String) -> NodeApplication? { installed.first { $0.package == package } }

  /// The build with this bytecode.
  func build(_ blobId: String) -> NodeBuild? {
    installed.lazy.flatMap(\.builds).first { $0.blobId == blobId }
  }

  /// Whether an installed application needs this blob.
  func needs(blob id: String) -> Bool {
    installed.contains { $0.builds.contains { $0.blobId == id || $0.compiledId == id } }
  }

  /// Adds a build; the same bytecode again changes nothing.
  mutating func add(_ build: NodeBuild) {
    guard let index = installed.firstIndex(where: { $0.id == build.applicationId }) else {
      installed.append(
        NodeApplication(
          id: build.applicationId, package: build.package.name, signer: Self.signer, builds: [build]))
      return
    }
    installed[index].builds.removeAll { $0.version == build.version || $0.blobId == build.blobId }
    installed[index].builds.append(build)
  }

  mutating func remove(_ id: String) { installed.removeAll { $0.id == id } }
}

extension NodeState {
  /// Installs a version of a package: its bytecode becomes a blob, its application grows by a build.
  @discardableResult
  mutating func install(_ package: FakePackage) -> NodeBuild {
    let bytecode = NodeApplications.bytecode(of: package)
    let blob = blobs.add(bytecode, in: nil)
    let compiled = blobs.add(bytecode + Data(" compiled".utf8), in: nil)
    let build = NodeBuild(
      package: package, applicationId: NodeApplications.id(of: package.name), blobId: blob.id,
      compiledId: compiled.id, size: bytecode.count)
    applications.add(build)
    return build
  }
}
