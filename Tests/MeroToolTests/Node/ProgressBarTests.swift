import MeroHTTP
import MeroKit
import Testing

@testable import mero

@Suite("The bar of a transfer")
struct ProgressBarTests {
  @Test(
    "it shows how much of how much is through",
    arguments: [
      (0, 4_200_000, "[--------------------]   0 %  0.0 of 4.2 MB"),
      (2_100_000, 4_200_000, "[##########----------]  50 %  2.1 of 4.2 MB"),
      (4_200_000, 4_200_000, "[####################] 100 %  4.2 of 4.2 MB"),
      (9_000_000, 4_200_000, "[####################] 100 %  9.0 of 4.2 MB"), (1_500_000, nil, "1.5 MB"),
      (0, 0, "0.0 MB"),
    ] as [(Int64, Int64?, String)])
  func line(_ completed: Int64, _ total: Int64?, _ line: String) {
    #expect(ProgressBar.line(BlobProgress(completed: completed, total: total)) == line)
  }

  @Test("steps that look the same are drawn once, and where nobody looks nothing is drawn")
  func drawing() {
    let drawn = Locked<[String]>([])
    let bar = ProgressBar(draw: { text in drawn.withLock { $0.append(text) } })
    for completed: Int64 in [0, 1, 2] { bar.show(BlobProgress(completed: completed, total: 10_000_000)) }
    bar.end()
    #expect(drawn.withLock { $0 } == ["\r[--------------------]   0 %  0.0 of 10.0 MB", "\n"])
    ProgressBar(draw: nil).show(BlobProgress(completed: 1, total: 1))
  }
}
