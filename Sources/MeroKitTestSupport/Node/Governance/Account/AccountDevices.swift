import MeroCrypto
import MeroWire

/// Which namespaces a device follows: those of these applications, or all (20 §5.13).
enum DeviceScope: Sendable, Hashable {
  case all
  case only(Set<String>)

  func holds(_ application: String) -> Bool {
    switch self {
    case .all: true
    case .only(let ids): ids.contains(application)
    }
  }

  /// Empty stands for all.
  var ids: [String] {
    switch self {
    case .all: []
    case .only(let ids): ids.sorted()
    }
  }
}

/// The devices of the node's account, as this node knows them.
struct AccountDevices: Sendable {
  struct Device: Sendable {
    let credential: DeviceCredential
    var isSelf: Bool
    var scope = DeviceScope.all
    var isRevoked = false
    var label: String?
    var labelEpoch: UInt32 = 0
    /// Unix seconds.
    var labelledAt: Int64?

    var id: String { credential.bound.id }
  }

  /// What the node offered to another account's holder, before it is answered.
  struct Pending: Sendable, Hashable {
    let account: [UInt8]
    let device: [UInt8]
  }

  /// How many seconds have to pass between two names of a device.
  static let labelPause: Int64 = 10

  private(set) var devices: [String: Device] = [:]
  var pending: Pending?

  var all: [Device] { devices.values.sorted { $0.id < $1.id } }

  subscript(id: String) -> Device? {
    get { devices[id] }
    set { devices[id] = newValue }
  }

  mutating func add(_ credential: DeviceCredential, isSelf: Bool, scope: DeviceScope = .all) {
    let device = Device(credential: credential, isSelf: isSelf, scope: scope)
    devices[device.id] = device
  }

  /// The node's own device has another key, and so is another one.
  mutating func replaceSelf(by credential: DeviceCredential) {
    for id in devices.keys { devices[id]?.isSelf = false }
    add(credential, isSelf: true)
  }

  mutating func becomeDevice(of credential: DeviceCredential) {
    devices = [:]
    pending = nil
    add(credential, isSelf: true)
  }
}

/// What the joining node says in a pairing, and what a person compares (20 §5.13).
enum PairingStatement {
  static func message(account: [UInt8], device: [UInt8], deliveryKey: [UInt8], signingKey: [UInt8]) -> [UInt8]
  {
    domainHash("calimero.device.pairing.v1", [account, device, deliveryKey, signingKey])
  }

  /// Sixteen letters and digits in groups of four. None looks like another.
  static func code(_ message: [UInt8]) -> String {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let letters = domainHash("calimero.device.pairing-code.v1", [message]).prefix(16).map {
      alphabet[Int($0 & 31)]
    }
    return stride(from: 0, to: 16, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
  }

  /// A code as it is compared: case and grouping do not matter.
  static func normal(_ code: String) -> String { code.uppercased().filter { $0.isLetter || $0.isNumber } }
}

extension Governance {
  /// A device of ours that was certified elsewhere: the node is one of that account's from now on.
  mutating func completePairing(_ credential: DeviceCredential) {
    guard let pending = devices.pending, pending.device == credential.device,
      credential.signingKey == secrets.credential.signingKey
    else { return }
    adopt(credential)
  }
}
