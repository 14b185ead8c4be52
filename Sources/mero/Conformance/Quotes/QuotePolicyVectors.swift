import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

extension VectorSuite {
  /// Images, statuses and report data applied to quotes of the `cases.json` beside the file.
  static let quotePolicies = VectorSuite(
    recognises: { $0["cases"]?[0]?["allowedMeasurements"] != nil },
    run: { value, name, folder, run in
      do {
        let quotes = try QuoteCaseFile(try vectorFile("cases.json", in: folder), folder: folder)
        let file = try VectorObject(value, path: name)
        file.prose("description")
        for object in try file.objects("cases") {
          let name = "policy: \(try object.text("name"))"
          await run.check(name) { try await checkPolicy(object, quotes) }
        }
        try file.finish()
      } catch {
        await run.check(name) { throw error }
      }
    })
}

private func checkPolicy(_ object: VectorObject, _ quotes: QuoteCaseFile) async throws {
  let name = try object.text("case")
  guard let quoteCase = quotes.cases[name] else { throw Mismatch("there is no case \(name)") }
  let images = try object.objects("allowedMeasurements").map { image in
    try Measurements(
      mrtd: image.text("mrtd"), rtmr0: image.text("rtmr0"), rtmr1: image.text("rtmr1"),
      rtmr2: image.text("rtmr2"), rtmr3: image.text("rtmr3"))
  }
  let statuses =
    object.has("allowedTcbStatuses")
    ? try object.texts("allowedTcbStatuses").map(TCBStatus.init(rawValue:)) : nil
  let verifier = DcapVerifier(
    try .images(images), acceptedStatuses: statuses, root: quoteCase.root,
    clock: MeroClock(now: { quoteCase.time }, uptime: { 0 }, sleep: { _ in }))
  let nonce = try object.bytes("nonce")
  let evidence = QuoteEvidence(
    quote: quoteCase.quote, collateral: quoteCase.collateral, nonce: nonce,
    expectedReportData: nonce + (try object.bytes("reportDataSuffix")), host: "node.example", release: nil)
  let expected = try object.text("expected")
  try require(expected == "accept" || expected == "refuse", "the verdict \(expected) is unknown")
  do {
    let report = try await verifier.verify(evidence)
    try require(expected == "accept", "accepted, the file says refuse")
    try require(images.contains { $0 == report.measurements }, "the report shows another image")
  } catch TrustError.refused(let refusal) {
    try require(expected == "refuse", "refused (\(refusal.text)), the file says accept")
    try require("the reason", reason(refusal), is: try object.text("reason"))
  }
  try object.finish()
}

/// A refusal in the words of the file.
private func reason(_ refusal: TrustRefusal) -> String {
  switch refusal.stage {
  case .tcbStatus?, .measurements?, .reportData?: return refusal.reason.rawValue
  case .quoteFormat?: return "notTdx"
  case let stage?: return DcapVerdict.stages.contains(stage) ? "quote" : stage.rawValue
  case nil: return refusal.reason.rawValue
  }
}
