import Foundation
import MeroCrypto
import MeroWire

/// A package as it is published, an `.mpk` of the fake cluster: a signed manifest and code (70 §2.21).
///
/// Three lines of text, each ended by one newline, and then the code as it is:
///
/// ```text
/// mpk 1
/// {"package":"com.example.notes","version":"1.0.0","codeHash":"…64 hex…","signerKey":"…64 hex…"}
/// …signature, base64url…
/// …code…
/// ```
///
/// The manifest names the package, its version, the SHA-256 of the code and the Ed25519 key that signs; it may also have
/// `name`, `summary`, `icon` (for people) and `minCore`. The signature is over `calimero/package/1` followed by the
/// manifest's line, byte for byte and without its newline.
public struct PackageBundle: Sendable, Hashable {
  /// What a manifest says besides what the code and the key decide.
  public struct Manifest: Sendable, Hashable {
    /// The package's name, like `com.calimero.chat`.
    public var package: String
    /// The version, SemVer 2.0.
    public var version: String
    /// A name for people.
    public var name: String?
    /// One line.
    public var summary: String?
    /// A data URL or https URL.
    public var icon: String?
    /// The oldest core it runs on.
    public var minCore: String?

    /// A manifest with these words.
    public init(
      package: String, version: String, name: String? = nil, summary: String? = nil, icon: String? = nil,
      minCore: String? = nil
    ) {
      self.package = package
      self.version = version
      self.name = name
      self.summary = summary
      self.icon = icon
      self.minCore = minCore
    }
  }

  let manifest: Manifest
  let codeHash: String
  let signerKey: String

  private static let head = "mpk 1"
  private static let domain = Array("calimero/package/1".utf8)

  /// The bytes of a bundle.
  ///
  /// - Parameters:
  ///   - code: what runs. The fake runs only code that it was given as a ``FakePackage``, see ``FakePackage/bundle(signedBy:name:summary:icon:minCore:)``.
  ///   - seed: the publisher's Ed25519 key, 32 bytes.
  public static func make(_ manifest: Manifest, code: Data, signedBy seed: [UInt8]) throws -> Data {
    let key = try Ed25519.PrivateKey(seed: seed)
    var fields: JSONObject = [
      "package": .string(manifest.package), "version": .string(manifest.version),
      "codeHash": .string(Hex.encode(SHA256.hash(code))),
      "signerKey": .string(Hex.encode(key.publicKey.bytes)),
    ]
    for (name, value) in [
      ("name", manifest.name), ("summary", manifest.summary), ("icon", manifest.icon),
      ("minCore", manifest.minCore),
    ] { fields[name] = value.map { .string($0) } }
    let line = JSONValue.object(fields).data()
    let signature = Base64URL.encode(try key.sign(domain + Array(line)))
    return Data("\(head)\n".utf8) + line + Data("\n\(signature)\n".utf8) + code
  }

  /// Reads a bundle and checks that its signature and its hash hold. Throws 422 `PACKAGE_INVALID`.
  init(_ bytes: Data) throws(Refusal) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].elementsEqual(Self.head.utf8) else {
      throw .packageInvalid("it is not a bundle")
    }
    guard let fields = (try? JSONValue(parsing: Data(parts[1])))?.objectValue else {
      throw .packageInvalid("its manifest is not a JSON object")
    }
    func text(_ name: String) throws(Refusal) -> String {
      guard let text = fields[name]?.stringValue else { throw .packageInvalid("its manifest lacks \(name)") }
      return text
    }
    manifest = Manifest(
      package: try text("package"), version: try text("version"), name: fields["name"]?.stringValue,
      summary: fields["summary"]?.stringValue, icon: fields["icon"]?.stringValue,
      minCore: fields["minCore"]?.stringValue)
    codeHash = try text("codeHash")
    signerKey = try text("signerKey")
    guard let keyBytes = try? Hex.decode(signerKey), Hex.encode(keyBytes) == signerKey,
      let key = try? Ed25519.PublicKey(bytes: keyBytes),
      let signature = try? Base64URL.decode(String(decoding: parts[2], as: UTF8.self)),
      key.isValid(signature, for: Self.domain + Array(parts[1]))
    else { throw .packageInvalid("its manifest is not signed by the key it names") }
    guard codeHash == Hex.encode(SHA256.hash(Data(parts[3]))) else {
      throw .packageInvalid("its code is not what the manifest says")
    }
    guard Self.isName(manifest.package) else {
      throw .packageInvalid("\(manifest.package) cannot be a package's name")
    }
    guard SemanticVersion.isValid(manifest.version) else {
      throw .packageInvalid("\(manifest.version) is no version")
    }
  }

  /// `^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$`, at most 128 characters (70 §2.2).
  static func isName(_ text: String) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    let isWritten = words.allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
    }
    let beginsWithLetter = text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return isWritten && beginsWithLetter == true && words.count > 1 && text.utf8.count <= 128
  }
}

extension FakePackage {
  /// The bundle that publishes this package. When it is published, the cluster runs these methods if it knows them:
  /// see ``FakeCloud/register(_:)`` and ``FakeCloud/provideCode(of:)``.
  ///
  /// - Parameter seed: the publisher's Ed25519 key, 32 bytes.
  public func bundle(
    signedBy seed: [UInt8], name: String? = nil, summary: String? = nil, icon: String? = nil,
    minCore: String? = nil
  ) throws -> Data {
    try PackageBundle.make(
      PackageBundle.Manifest(
        package: self.name, version: version, name: name, summary: summary, icon: icon, minCore: minCore),
      code: code, signedBy: seed)
  }
}

extension Refusal {
  static func packageInvalid(_ reason: String) -> Refusal {
    Refusal(
      422, "PACKAGE_INVALID", "the bundle does not hold: \(reason)", details: ["reason": .string(reason)])
  }
}
