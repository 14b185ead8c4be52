import Foundation

/// What Intel says about platforms of one kind (50 §3.5).
struct TCBInfo: Sendable, Hashable {
  let issueDate: Date
  let nextUpdate: Date
  let fmspc: [UInt8]
  let pceId: [UInt8]
  let evaluationDataNumber: Int
  /// What a TDX module without a version has to be.
  let module: ModuleIdentity?
  /// What a module of each version has to be, by id, such as `TDX_03`.
  let moduleIdentities: [ModuleIdentity]
  /// The highest first, whatever their order in the text.
  let levels: [PlatformLevel]

  /// Reads a text that is known to be signed.
  init(_ text: String) throws(TrustError) {
    let json = try SignedJSON(text, .tcbInfo, "the TCB info")
    guard try json.text("id") == "TDX", try json.number("version") >= 3 else {
      throw .refused(.tcbInfo, "the TCB info is not about TDX, or of a version before 3")
    }
    issueDate = try json.time("issueDate")
    nextUpdate = try json.time("nextUpdate")
    fmspc = try json.hex("fmspc", 6)
    pceId = try json.hex("pceId", 2)
    _ = try json.number("tcbType")
    evaluationDataNumber = try json.number("tcbEvaluationDataNumber")
    module = try json.optionalChild("tdxModule").map { (json) throws(TrustError) in
      try ModuleIdentity(json, id: "", levels: [])
    }
    var identities: [ModuleIdentity] = []
    if json.object["tdxModuleIdentities"] != nil {
      for identity in try json.children("tdxModuleIdentities") {
        identities.append(
          try ModuleIdentity(identity, id: try identity.text("id"), levels: try SvnLevel.list(identity)))
      }
    }
    moduleIdentities = identities
    var levels: [PlatformLevel] = []
    for level in try json.children("tcbLevels") { levels.append(try PlatformLevel(level)) }
    self.levels = levels.sorted { $0.isHigher(than: $1) }
  }

  /// The identity of modules of this version; the case of an id's letters does not count.
  func identity(ofVersion version: UInt8) -> ModuleIdentity? {
    let hex = String(version, radix: 16)
    let id = "tdx_" + (hex.count < 2 ? "0" : "") + hex
    return moduleIdentities.first { $0.id.lowercased() == id }
  }
}

/// What a TDX module has to be.
struct ModuleIdentity: Sendable, Hashable {
  let id: String
  let mrSigner: [UInt8]
  let attributes: [UInt8]
  let attributesMask: [UInt8]
  let levels: [SvnLevel]

  init(_ json: SignedJSON, id: String, levels: [SvnLevel]) throws(TrustError) {
    self.id = id
    self.levels = levels
    mrSigner = try json.hex("mrsigner", 48)
    attributes = try json.hex("attributes", 8)
    attributesMask = try json.hex("attributesMask", 8)
  }
}
