import MeroTrust
import MeroWire
import Testing

@Suite("report data")
struct ReportDataTests {
  @Test("the cluster binding and the report data of a 1.0 node equal the published values")
  func cluster() throws {
    let binding = ReportData.clusterBinding([UInt8](0x00...0x1F))
    #expect(Hex.encode(binding) == "0e21573a58eed787fcd32fa07eeb032c52044a8b46647768df772c982dd5db61")
    let suffix = ReportData.transportBinding(inner: binding, key: [UInt8](0x20...0x3F))
    #expect(Hex.encode(suffix) == "08a278b4d0292d23d7b4f53ddf8b44bd3c1b8d8841b27d6cd77eececd3455ecf")
    let quote = MockQuote.make(reportData: ReportData.make(nonce: [UInt8](0x60...0x7F), suffix: suffix))
    #expect(
      quote == [UInt8]("MOCK_TDX_QUOTE_V1".utf8) + [UInt8](0x60...0x7F) + suffix
        + [UInt8](repeating: 0, count: 175))
    #expect(try MockQuote.reportData(of: quote) == [UInt8](0x60...0x7F) + suffix)
  }

  @Test("the transport binding equals the value that core publishes")
  func published() {
    let digest = ReportData.transportBinding(
      inner: [UInt8](repeating: 0x11, count: 32), key: [UInt8](repeating: 0x22, count: 32))
    #expect(Hex.encode(digest) == "30274595433e8afc5d4035e30a2b599d93caf0d470867527f13dc6af92fa12a8")
  }

  @Test("what is not bound counts as zeros, and each binding stands on the one before")
  func nesting() {
    let (app, node, tls, transport) = (
      [UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32),
      [UInt8](repeating: 3, count: 32), [UInt8](repeating: 4, count: 32)
    )
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(ReportData.suffix() == zeros)
    #expect(ReportData.suffix(applicationHash: app) == app)
    #expect(
      ReportData.suffix(transportKey: transport) == ReportData.transportBinding(inner: zeros, key: transport))
    let inner = ReportData.tlsBinding(
      inner: ReportData.nodeKeyBinding(application: app, key: node), spki: tls)
    #expect(
      ReportData.suffix(applicationHash: app, nodeKey: node, tlsSPKI: tls, transportKey: transport)
        == ReportData.transportBinding(inner: inner, key: transport))
  }
}
