import Testing

@testable import MeroKit

@Suite("The first answer")
struct FirstAnswerTests {
  private struct Flaw: Error {}

  @Test("it is kept for who comes to wait for it, and later ones are dropped")
  func early() async throws {
    let answer = FirstAnswer<Int>()
    answer.give(.success(1))
    answer.give(.failure(Flaw()))
    #expect(try await answer.wait() == 1)
  }

  @Test("it ends the waiting")
  func late() async throws {
    let answer = FirstAnswer<Int>()
    let waiting = Task { try await answer.wait() }
    answer.give(.failure(Flaw()))
    answer.give(.success(2))
    await #expect(throws: Flaw.self) { _ = try await waiting.value }
  }

  @Test("a cancelled task waits no longer, and an answer after that goes nowhere")
  func cancelled() async {
    let answer = FirstAnswer<Int>()
    let task = Task { try await answer.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    answer.give(.success(1))
    await #expect(throws: CancellationError.self) { _ = try await answer.wait() }
  }
}
