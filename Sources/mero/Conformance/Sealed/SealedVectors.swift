import Foundation
import MeroSealed
import MeroWire

extension VectorSuite {
  /// Sealed transport v2: handshakes, exchanges, refusals of both sides, and what quotes commit to.
  static let sealed = VectorSuite(
    recognises: { $0["protocol"] != nil && $0["session"] != nil && $0["exchanges"] != nil },
    run: { value, name, _, run in
      do {
        try await SealedVectors(VectorObject(value, path: name)).run(&run)
      } catch {
        await run.check(name) { throw error }
      }
    })
}

/// One file in that format.
private struct SealedVectors {
  let file: VectorObject

  init(_ file: VectorObject) {
    self.file = file
  }

  func run(_ run: inout ConformanceRun) async throws {
    let file = file
    await run.check("constants") {
      try require("the protocol", SealedProtocol.noiseName, is: try file.text("protocol"))
      try require("the prologue", SealedProtocol.prologue, is: try file.text("prologue"))
      try require("the content type", SealedProtocol.contentType, is: try file.text("contentType"))
    }
    file.prose("description", "madeWith")
    await ReportDataVector.check(try file.object("reportData"), &run)
    let session = try SessionVector(try file.object("session"))
    await session.check(&run)
    try await checkPublished(try file.object("published"), &run)
    let exchanges = try await ExchangeVector.check(try file.objects("exchanges"), of: session, &run)
    let cutShort = try ExchangeVector(try file.object("cutShort"))
    await cutShort.check("cutShort", in: session, &run)
    await NodeRefusals(session: session, exchanges: exchanges).check(
      try file.objects("nodeMustRefuse"), &run)
    await ClientRefusals(session: session, exchanges: exchanges).check(
      try file.objects("clientMustRefuse"), &run)
    await LargeBodyVector.check(try file.object("largeBody"), of: session, &run)
    await run.check("nothing unknown in the file") { try file.finish() }
  }

  private func checkPublished(_ published: VectorObject, _ run: inout ConformanceRun) async throws {
    let session = try SessionVector(try published.object("session"))
    await session.check(&run)
    _ = try await ExchangeVector.check(try published.objects("exchanges"), of: session, &run)
    await ReportDataVector.checkTransportBinding(try published.object("transportBinding"), &run)
    await run.check("nothing unknown in \(published.path)") { try published.finish() }
  }
}
