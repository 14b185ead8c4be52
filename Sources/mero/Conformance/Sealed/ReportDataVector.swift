import MeroCrypto
import MeroTrust

/// What a node of the generation before commits its quotes to, and the mock quotes that say so.
enum ReportDataVector {
  static func check(_ object: VectorObject, _ run: inout ConformanceRun) async {
    await run.check("reportData: domains") {
      let domains = try object.object("domains")
      let (zeros, key) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 7, count: 32))
      for (name, binding) in [
        ("nodeKey", ReportData.nodeKeyBinding(application: nil, key: key)),
        ("transportKey", ReportData.transportBinding(inner: nil, key: key)),
        ("tlsKey", ReportData.tlsBinding(inner: nil, spki: key)),
      ] {
        let domain = [UInt8](try domains.text(name).utf8)
        try require("the binding under \(name)", binding, is: SHA256.hash(domain + zeros + key))
      }
      try domains.finish()
    }
    do {
      let inputs = try Inputs(object)
      await check(inputs, try object.object("reportDataSuffix"), try object.object("reportData"), &run)
      await checkMockQuotes(inputs, try object.object("mockQuotes"), &run)
    } catch {
      await run.check("reportData: inputs") { throw error }
    }
    await run.check("nothing unknown in \(object.path)") { try object.finish() }
  }

  static func checkTransportBinding(_ object: VectorObject, _ run: inout ConformanceRun) async {
    await run.check("\(object.path)") {
      let digest = ReportData.transportBinding(
        inner: try object.bytes("inner", count: 32), key: try object.bytes("transportKey", count: 32))
      try require("the binding", digest, is: try object.bytes("digest"))
      try object.finish()
    }
  }

  private struct Inputs {
    let nonce: [UInt8]
    /// Every combination of what can be bound, by its name in the file.
    let suffixes: [String: [UInt8]]

    init(_ object: VectorObject) throws(Mismatch) {
      let app = try object.bytes("applicationHash", count: 32)
      let node = try object.bytes("nodeKey", count: 32)
      let tls = try object.bytes("tlsSpkiSha256", count: 32)
      let transport = try object.bytes("transportKey", count: 32)
      nonce = try object.bytes("nonce", count: 32)
      suffixes = [
        "nothing": ReportData.suffix(),
        "applicationOnly": ReportData.suffix(applicationHash: app),
        "nodeKeyOnly": ReportData.suffix(nodeKey: node),
        "nodeKeyAndApplication": ReportData.suffix(applicationHash: app, nodeKey: node),
        "transportOnly": ReportData.suffix(transportKey: transport),
        "transportAndApplication": ReportData.suffix(applicationHash: app, transportKey: transport),
        "transportAndNodeKey": ReportData.suffix(nodeKey: node, transportKey: transport),
        "transportNodeKeyApplication": ReportData.suffix(
          applicationHash: app, nodeKey: node, transportKey: transport),
        "tlsOnly": ReportData.suffix(tlsSPKI: tls),
        "tlsAndNodeKey": ReportData.suffix(nodeKey: node, tlsSPKI: tls),
        "transportTlsNodeKeyApplication": ReportData.suffix(
          applicationHash: app, nodeKey: node, tlsSPKI: tls, transportKey: transport),
      ]
    }

    func reportData(_ name: String) -> [UInt8] {
      ReportData.make(nonce: nonce, suffix: suffixes[name] ?? [])
    }
  }

  private static func check(
    _ inputs: Inputs, _ suffixes: VectorObject, _ reportData: VectorObject, _ run: inout ConformanceRun
  ) async {
    for (name, suffix) in inputs.suffixes.sorted(by: { $0.key < $1.key }) {
      await run.check("reportData \(name)") {
        try require("the suffix", suffix, is: try suffixes.bytes(name))
        try require("the report data", inputs.reportData(name), is: try reportData.bytes(name))
      }
    }
    for object in [suffixes, reportData] {
      await run.check("nothing unknown in \(object.path)") { try object.finish() }
    }
  }

  private static func checkMockQuotes(
    _ inputs: Inputs, _ quotes: VectorObject, _ run: inout ConformanceRun
  ) async {
    for name in ["nodeKeyOnly", "transportOnly"] {
      await run.check("mockQuotes \(name)") {
        let quote = try quotes.base64(name)
        try require("the quote", MockQuote.make(reportData: inputs.reportData(name)), is: quote)
        try require("whether it is a mock", MockQuote.isMock(quote), is: true)
        try require("its report data", try MockQuote.reportData(of: quote), is: inputs.reportData(name))
      }
    }
    await run.check("nothing unknown in \(quotes.path)") { try quotes.finish() }
  }
}
