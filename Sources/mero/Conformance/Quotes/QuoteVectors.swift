import Foundation
import MeroTrust
import MeroWire

extension VectorSuite {
  /// Quotes with collateral; what has to come of each is in `expected.json` beside the file.
  static let quotes = VectorSuite(
    recognises: { $0["roots"] != nil && $0["collaterals"] != nil && $0["cases"] != nil },
    run: { value, name, folder, run in
      do {
        let file = try QuoteCaseFile(try VectorObject(value, path: name), folder: folder)
        let expected = try vectorFile("expected.json", in: folder)
        expected.prose("madeWith")
        let verdicts = try expected.object("cases")
        try expected.finish()
        for (name, quoteCase) in file.cases.sorted(by: { $0.key < $1.key }) {
          await run.check(name) {
            try ExpectedVerdict(try verdicts.object(name)).check(quoteCase)
          }
        }
        await run.check("every verdict of expected.json has a case") { try verdicts.finish() }
      } catch {
        await run.check(name) { throw error }
      }
    })
}

/// What another verifier said about a quote.
private struct ExpectedVerdict {
  let object: VectorObject
  let isAccepted: Bool

  init(_ object: VectorObject) throws(Mismatch) {
    self.object = object
    // The step at which the other verifier stopped, and its words, are for people.
    object.prose("stage", "peerError")
    let verdict = try object.text("verdict")
    try require(verdict == "accept" || verdict == "refuse", "the verdict \(verdict) is unknown")
    // A quote can be genuine and still not be one that a client takes: that of an SGX enclave.
    isAccepted = verdict == "accept" && !object.has("client")
  }

  func check(_ quoteCase: QuoteCase) throws {
    let verdict: DcapVerdict
    do throws(TrustError) {
      let collateral = try QuoteCollateral(parsing: quoteCase.collateral)
      verdict = try DcapVerification(root: quoteCase.root).verify(
        quoteCase.quote, collateral, at: quoteCase.time)
    } catch {
      try checkRefusal(error)
      return
    }
    try require(isAccepted, "accepted as \(verdict.status), the file says refuse")
    try require("the status", verdict.status.rawValue, is: try object.text("status"))
    try require("the advisories", verdict.advisories, is: try object.texts("advisoryIds"))
    try require(
      "the platform's status", verdict.platform.status.rawValue, is: try object.text("platformStatus"))
    try require(
      "the quoting enclave's status", verdict.platform.quotingEnclaveStatus.rawValue,
      is: try object.text("qeStatus"))
    let kind = verdict.report.kind == .td10 ? "td10" : "td15"
    try require("the report's type", kind, is: try object.text("reportType"))
    try checkReport(verdict.report)
    try object.finish()
  }

  private func checkReport(_ report: TDReport) throws(Mismatch) {
    let fields = try object.object("report")
    for (name, value) in [
      ("mrtd", report.mrTd), ("rtmr0", report.rtmr0), ("rtmr1", report.rtmr1), ("rtmr2", report.rtmr2),
      ("rtmr3", report.rtmr3), ("reportData", report.reportData), ("teeTcbSvn", report.teeTcbSvn),
      ("tdAttributes", report.tdAttributes), ("xfam", report.xfam), ("mrSeam", report.mrSeam),
    ] { try require(name, [UInt8](value), is: try fields.bytes(name)) }
    try fields.finish()
  }

  private func checkRefusal(_ error: TrustError) throws(Mismatch) {
    guard case .refused(let refusal) = error, let stage = refusal.stage else {
      throw Mismatch("thrown instead of refused at a step: \(error)")
    }
    try require(!isAccepted, "refused at \(stage) (\(refusal.text)), the file says accept")
    if object.has("client") {
      try require("what a client says", try object.text("client"), is: "refuse: not a TDX quote")
      try require("the step", stage, is: .quoteFormat)
      object.prose("status", "advisoryIds", "platformStatus", "qeStatus", "reportType")
    }
    try object.finish()
  }
}
