import Foundation
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: its parts")
struct PartsTests {
  @Test("a pattern matches what the expression says")
  func patterns() {
    let name = TextPattern("^[a-z0-9][a-z0-9._-]{1,31}$")
    for text in ["ad", "a.b_c-d", "0a", String(repeating: "a", count: 32)] {
      #expect(name.matches(text), "\(text)")
    }
    for text in ["", "a", ".a", "Ada", "ad ", "ad\n", "äd", String(repeating: "a", count: 33)] {
      #expect(!name.matches(text), "\(text)")
    }
    let hex = TextPattern("^[0-9a-f]{64}$")
    #expect(hex.matches(String(repeating: "0f", count: 32)))
    #expect(!hex.matches(String(repeating: "0f", count: 32) + "0"))
    #expect(!hex.matches(String(repeating: "0F", count: 32)))
    let tricky = TextPattern("^[ab]*a[ab]{2}$")
    #expect(tricky.matches("bbabb"))
    #expect(tricky.matches("aaa"))
    #expect(!tricky.matches("bbb"))
    // Groups are beyond the matcher and go to Foundation.
    let package = TextPattern(#"^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$"#)
    #expect(package.matches("com.calimero.chat"))
    #expect(!package.matches("chat"))
  }

  @Test("the document is read whole, and every operation served is one of it")
  func documentIsRead() {
    let document = APIDocument.shared
    #expect(document.operations.count == 103)
    #expect(document.statuses["BEHIND"] == 503)
    #expect(Set(ClusterState.handlers.keys).isSubset(of: Set(document.operations.map(\.id))))
  }

  @Test("literal segments win over parameters, and an empty segment is no parameter")
  func routes() {
    let document = APIDocument.shared
    #expect(document.route("GET", "/deployments/deployers")?.0.id == "deployer_list")
    #expect(document.route("GET", "/deployments/dpl_1")?.0.id == "deployment_get")
    #expect(document.route("POST", "/orgs/invites/accept")?.0.id == "org_invite_accept")
    #expect(document.route("GET", "/orgs/a%2Fb")?.1 == ["org": "a/b"])
    for path in ["/orgs/", "orgs", "", "/orgs//members", "/orgs/%zz", "/apps/x/intents/"] {
      #expect(document.route("GET", path) == nil, "\(path)")
    }
  }

  @Test("a schema names the first thing that does not fit, and where")
  func schemas() throws {
    let schemas = APIDocument.shared.schemas
    let schema = try #require(schemas["AppEvent"])
    let good: JSONValue = [
      "cursor": "c", "seq": JSONValue(UInt64.max), "index": 0, "kind": "K",
      "appId": "a", "at": 1, "data": .null,
    ]
    #expect(schemas.mismatch(of: good, with: schema) == nil)
    for (field, value, reason, isBounds) in [
      ("seq", "1", "is not an integer", false), ("seq", -1, "is not an unsigned 64-bit integer", false),
      ("index", 2_147_483_648, "is not a 32-bit integer", true),
      ("index", 1.5, "is not a 64-bit integer", false),
      ("kind", .null, "is not a string", false), ("more", 1, "is not a field here", false),
      ("cursor", .string(String(repeating: "c", count: 257)), "has more than 256 characters", true),
    ] as [(String, JSONValue, String, Bool)] {
      var bad = good.objectValue ?? [:]
      bad[field] = value
      let mismatch = schemas.mismatch(of: .object(bad), with: schema)
      #expect(mismatch == SchemaMismatch(path: field, reason: reason, isBounds: isBounds))
    }
    var missing = good.objectValue ?? [:]
    missing["data"] = nil
    #expect(schemas.mismatch(of: .object(missing), with: schema)?.path == "data")
    let list = try #require(schemas["OrgList"])
    let nested = schemas.mismatch(of: ["orgs": [["orgId": 1]]], with: list)
    #expect(nested?.path == "orgs[0].orgId")
    let enumeration = try #require(schemas["OrgRole"])
    #expect(schemas.mismatch(of: "king", with: enumeration)?.isBounds == true)
  }

  @Test("ids sort in the order they were made, also within a millisecond")
  func ids() {
    var ids = IdMaker(SeededRandom(seed: 1).random)
    let made = [1, 1, 1, 2, 2, 500].map { ids.id("org", at: $0) }
    #expect(made == made.sorted())
    #expect(Set(made).count == 6)
    #expect(made.allSatisfy { $0.count == 30 })
    #expect(ids.id("app", at: 1_790_000_000_000).hasPrefix("app_01m3250v00"))
    #expect(ids.token("cms_").count == 47)
  }

  @Test("a field's bytes are found as they were sent")
  func rawFields() {
    func bytes(_ body: String) -> String? {
      RawField.bytes(of: "args", in: Data(body.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(bytes(#"{"method":"m","args":{"a":[1, 2],"b":"}\"]"}}"#) == #"{"a":[1, 2],"b":"}\"]"}"#)
    #expect(bytes(#" { "args" : [ 1.0 ] , "x":{"args":2} } "#) == "[ 1.0 ]")
    #expect(bytes(#"{"args":1e5}"#) == "1e5")
    #expect(bytes(#"{"args":1,"args":2}"#) == "2")
    #expect(bytes(#"{"\u0061rgs":{"a": 1}}"#) == #"{"a": 1}"#)
    #expect(bytes(#"{"args":1,"ar\u0067s":2,"\"args":3,"args\u0000":4,"arg\u017f":5}"#) == "2")
    #expect(bytes(#"{"x":"args"}"#) == nil)
    #expect(bytes("{}") == nil)
    for broken in ["", "{", #"{"args"#, #"{"args":"#, #"{"args":"\"#, "}}}}", ",,,"] { _ = bytes(broken) }
  }

  @Test("versions compare as SemVer says")
  func versions() {
    let sorted = [
      "nonsense", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0", "1.9.0", "1.10.0",
    ]
    #expect(sorted.shuffled().sorted { SemanticVersion($0) < SemanticVersion($1) } == sorted)
    #expect(!(SemanticVersion("1.0.0+a") < SemanticVersion("1.0.0+b")))
  }

  @Test("bytes from outside never crash the passkey readers")
  func fuzz() {
    let random = SeededRandom(seed: 11)
    for round in 0..<5000 {
      var bytes = random.bytes(round % 300)
      if bytes.count > 40 { bytes[32] = 0xC5 }
      _ = AttestationObjectReader.read(bytes)
      _ = AuthenticatorData(bytes)
      if !bytes.isEmpty { bytes[0] = [0xA3, 0x9F, 0x5F, 0x82, 0xBB][round % 5] }
      _ = AttestationObjectReader.read(bytes)
      _ = RawField.bytes(of: "args", in: Data(bytes))
    }
    let nested = [UInt8](repeating: 0x81, count: 1000)
    #expect(AttestationObjectReader.read(nested) == nil)
    #expect(AttestationObjectReader.read([0xA1, 0x61, 0x61, 0x38, 0x63])?["a"] == .integer(-100))
    #expect(AttestationObjectReader.read([0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
  }

  @Test("a list shares its storage with its older states, and a change taken back is not seen")
  func lists() {
    var data = AppData()
    for number in 0..<3 { data.append(JSONValue(number), to: "l") }
    let kept = data
    var failed = data
    failed.append(99, to: "l")
    data.append(3, to: "l")
    #expect(Array(kept.list("l")) == [0, 1, 2])
    #expect(Array(data.list("l")) == [0, 1, 2, 3])
    #expect(Array(failed.list("l")) == [0, 1, 2, 99])
    #expect(data.list("none").isEmpty)
  }
}
