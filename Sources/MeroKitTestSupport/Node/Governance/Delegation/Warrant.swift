import MeroCrypto
import MeroWire

/// One device's permission for one executor to do one exact thing once (30 §6).
struct Warrant: Sendable {
  enum Kind: Sendable { case write, creation, governance }

  /// The context, the group or the scope.
  let subject: [UInt8]
  /// A creation's seed.
  var seed: [UInt8] = []
  /// 0 for a group's op, 1 for a root's.
  var plane: UInt8 = 0
  let author: [UInt8]
  let device: [UInt8]
  let executor: [UInt8]
  let executorKey: [UInt8]
  /// A write's release, or a creation's application.
  var build: [UInt8] = []
  var version = ""
  var method = ""
  var serviceName: String?
  var name: String?
  /// The hash of what it covers.
  let covered: [UInt8]
  let nonce: UInt64
  let notAfter: UInt64

  /// Reads a warrant and verifies its signature: 400 for anything else.
  init(_ bytes: [UInt8], _ kind: Kind) throws(NodeRefusal) {
    let signature: [UInt8]
    var parts: [[UInt8]] = []
    do throws(WireError) {
      var reader = BorshReader(bytes)
      func fixed() throws(WireError) -> [UInt8] {
        let bytes = try reader.fixed(32)
        parts.append(bytes)
        return bytes
      }
      subject = try fixed()
      switch kind {
      case .creation: seed = try fixed()
      case .governance:
        plane = try reader.u8()
        parts.append([plane])
      case .write: break
      }
      author = try fixed()
      device = try fixed()
      executor = try fixed()
      executorKey = try fixed()
      switch kind {
      case .write:
        build = try fixed()
        version = try reader.string()
        method = try reader.string()
        parts += [Array(version.utf8), Array(method.utf8)]
      case .creation:
        build = try fixed()
        serviceName = try reader.option { (reader) throws(WireError) in try reader.string() }
        name = try reader.option { (reader) throws(WireError) in try reader.string() }
        // An absent label and an empty one are different things, and sign differently.
        for label in [serviceName, name] { parts += [[label == nil ? 0 : 1], Array((label ?? "").utf8)] }
      case .governance: break
      }
      covered = try fixed()
      for _ in ["account heads", "governance floor"] {
        let heads = try reader.list { (reader) throws(WireError) in try reader.fixed(32) }
        parts.append(Self.u64(UInt64(heads.count)))
        parts += heads
      }
      nonce = try reader.u64()
      notAfter = try reader.u64()
      parts += [Self.u64(nonce), Self.u64(notAfter)]
      signature = try reader.fixed(64)
      try reader.finish()
    } catch { throw NodeRefusal(400, "the warrant does not decode (\(bytes.count) bytes): \(error.reason)") }
    guard let key = try? Ed25519.PublicKey(bytes: device),
      key.isValid(signature, for: domainHash(kind.domain, parts))
    else { throw NodeRefusal(400, "the warrant's signature does not verify") }
  }

  private static func u64(_ value: UInt64) -> [UInt8] {
    var writer = BorshWriter()
    writer.u64(value)
    return writer.bytes
  }

  var authorAccount: String { Hex.encode(author) }
  var deviceKey: String { Hex.encode(device) }

  /// Everything that can be said against a warrant without knowing who may do what. `path` is the id it was posted to.
  func check(
    path: String, covers hash: [UInt8], executor: NodeIdentity, at seconds: Int64
  ) throws(NodeRefusal) {
    guard Hex.encode(subject) == path else { throw NodeRefusal(403, "the warrant is for another place") }
    guard covered == hash else { throw NodeRefusal(403, "the warrant does not cover this") }
    guard notAfter >= UInt64(clamping: seconds) else { throw NodeRefusal(403, "the warrant has expired") }
    guard Hex.encode(self.executor) == executor.account, Hex.encode(executorKey) == executor.key else {
      throw NodeRefusal(403, "the warrant names another executor")
    }
  }
}

extension Warrant.Kind {
  var domain: String {
    switch self {
    case .write: "calimero.warrant.v2"
    case .creation: "calimero.context-creation-warrant.v1"
    case .governance: "calimero.governance-warrant.v1"
    }
  }
}

/// Which nonces of a device were spent: a window of 64 below the highest (30 §7).
struct NonceWindow: Sendable, Hashable {
  private var highest: UInt64?
  private var spent: Set<UInt64> = []

  /// Spends a nonce; false when it is spent or too old.
  mutating func spend(_ nonce: UInt64) -> Bool {
    if let highest, nonce <= highest {
      guard highest - nonce < 64, spent.insert(nonce).inserted else { return false }
      return true
    }
    highest = nonce
    spent.insert(nonce)
    spent = spent.filter { nonce - $0 < 64 }
    return true
  }

  func isSpendable(_ nonce: UInt64) -> Bool {
    var copy = self
    return copy.spend(nonce)
  }
}

/// What a relay remembers of the warrants it ran, and of presence it was handed.
struct DelegationLedger: Sendable {
  private var windows: [String: NonceWindow] = [:]
  /// Every warrant that came, in order.
  private(set) var presented: [PresentedWarrant] = []
  /// By context and device: the highest number, and when it came (Unix milliseconds).
  private(set) var presence: [String: (sequence: UInt64, at: Int64)] = [:]
  /// Milliseconds between two updates of a device.
  var presenceSpacing: Int64 = 250

  func check(_ warrant: Warrant, in ledger: String) throws(NodeRefusal) {
    guard windows["\(ledger) \(warrant.deviceKey)", default: NonceWindow()].isSpendable(warrant.nonce) else {
      throw NodeRefusal(403, "the warrant's nonce is spent or too old")
    }
  }

  mutating func present(_ warrant: Warrant, _ kind: Warrant.Kind) {
    presented.append(PresentedWarrant(warrant, kind))
  }

  /// Only what was applied counts.
  mutating func spend(_ warrant: Warrant, in ledger: String) {
    if let last = presented.lastIndex(where: { $0.nonce == warrant.nonce && $0.device == warrant.deviceKey })
    {
      presented[last].isSpent = true
    }
    _ = windows["\(ledger) \(warrant.deviceKey)", default: NonceWindow()].spend(warrant.nonce)
  }

  mutating func heard(_ device: String, in context: String, sequence: UInt64, at milliseconds: Int64) {
    presence["\(context) \(device)"] = (sequence, milliseconds)
  }

  func last(_ device: String, in context: String) -> (sequence: UInt64, at: Int64)? {
    presence["\(context) \(device)"]
  }
}

/// A warrant as it came, with the number that it is good once by.
struct PresentedWarrant: Sendable, Hashable {
  let kind: Warrant.Kind
  /// The context, the group or the scope.
  let subject: String
  let account: String
  let device: String
  let nonce: UInt64
  /// Whether what it permits was done.
  var isSpent = false

  init(_ warrant: Warrant, _ kind: Warrant.Kind) {
    self.kind = kind
    subject = Hex.encode(warrant.subject)
    account = warrant.authorAccount
    device = warrant.deviceKey
    nonce = warrant.nonce
  }
}
