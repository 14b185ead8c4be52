import MeroKit
import MeroWire

extension NodeGroup {
  /// What login pages return, and whether the node that they name is to be trusted.
  static let callbacks = NodeGroup(name: "callback") { file, run in
    let names = [
      "cb-trusted", "cb-other-node", "cb-other-port", "cb-other-scheme", "cb-path-ignored", "cb-no-node-url",
      "cb-no-anchor", "cb-allowlisted", "cb-not-allowlisted", "cb-initiated-beats-allowlist",
      "cb-nothing-to-bind", "cb-custom-scheme-node", "cb-no-access-token", "cb-no-fragment",
      "cb-form-decoding", "cb-malformed-node",
    ]
    await NodeCases(["2": names]).check("callback", in: file, &run) { name, object in
      let callback = try CallbackVector(name, object)
      let expect = try object.object("expect")
      try callback.check(expect)
      try expect.finish()
    }
  }
}

private struct CallbackVector {
  private let name: String
  private let url: String
  private let initiated: String?
  private let allowed: [String]

  init(_ name: String, _ object: VectorObject) throws(Mismatch) {
    self.name = name
    url = try object.text("url")
    initiated = try object.textOrNull("initiatedNodeUrl")
    allowed = try object.texts("allowedNodeUrls")
    // Which nodes a refused callback is not from makes no difference, so that they are known is looked at here.
    let nodes = ["http://localhost:2428", "https://node.example", "https://n.example", "foo://b"]
    try require((allowed + [initiated].compactMap { $0 }).allSatisfy(nodes.contains), "a node is unknown")
  }

  func check(_ expect: VectorObject) throws {
    let verdict = try expect.text("verdict")
    let trusted = try expect.textOrNull("trustedNodeUrl")
    guard try !expect.value("parsed").isNull else {
      try require("the verdict", verdict, is: "not-a-callback")
      try require("the trusted node", trusted, is: nil)
      try require("the address", url, is: notACallback)
      try require("what is read", Mero.parseAuthCallback(url), is: nil)
      return
    }
    let expected = try result(try expect.object("parsed"))
    try require("the address of that callback", url, is: address(of: expected))
    guard let parsed = Mero.parseAuthCallback(url) else { throw Mismatch("no callback was read") }
    try require("the callback", parsed, is: expected)
    let decision = NodeTrust.resolveTrustedNodeURL(
      candidate: parsed.nodeUrl, initiated: initiated, allowed: allowed)
    switch decision {
    case .trusted(let node):
      try require("the verdict", "trusted", is: verdict)
      try require("the trusted node", node, is: trusted)
    case .rejected:
      try require("the verdict", "refused", is: verdict)
      try require("the trusted node", nil, is: trusted)
    case .none:
      try require("the verdict", "ignored", is: verdict)
      try require("the trusted node", nil, is: trusted)
    }
  }

  private func result(_ object: VectorObject) throws(Mismatch) -> AuthCallbackResult {
    let result = AuthCallbackResult(
      accessToken: try object.text("accessToken"), refreshToken: try object.text("refreshToken"),
      applicationId: try object.text("applicationId"), contextId: try object.text("contextId"),
      contextIdentity: try object.text("contextIdentity"), nodeUrl: try object.text("nodeUrl"))
    try object.finish()
    return result
  }

  // MARK: A login page's side

  /// What a login page returns to with this result.
  private func address(of result: AuthCallbackResult) -> String {
    let fields = [
      ("access_token", result.accessToken), ("refresh_token", result.refreshToken),
      ("application_id", result.applicationId), ("context_id", result.contextId),
      ("context_identity", result.contextIdentity), ("node_url", result.nodeUrl),
    ]
    var form = fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\(encoded($0.1))" }
    if name == "cb-form-decoding" { form.append("access_token=second") }
    return "notes://auth#\(form.joined(separator: "&"))"
  }

  private func encoded(_ value: String) -> String {
    // The page of this case writes a space in the other way that is read.
    let isPercent = name == "cb-malformed-node"
    return value.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        "-._".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
        || (0x30...0x39).contains(byte)
      if byte == 0x20, !isPercent { return "+" }
      return isPlain ? String(scalar) : "%" + hexText([byte]).uppercased()
    }.joined()
  }

  private var notACallback: String {
    name == "cb-no-fragment" ? "notes://auth?access_token=A" : "notes://auth#refresh_token=R&node_url=x"
  }
}
