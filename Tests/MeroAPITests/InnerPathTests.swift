import MeroAPI
import Testing

@Suite("The inner path")
struct InnerPathTests {
  @Test(
    "70 §2.2: everything but the unreserved characters is percent-encoded",
    arguments: [
      ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("?#&=+%", "%3F%23%26%3D%2B%25"),
      ("é", "%C3%A9"), ("日本", "%E6%97%A5%E6%9C%AC"), ("😀", "%F0%9F%98%80"),
      ("!*'();:@$,[]", "%21%2A%27%28%29%3B%3A%40%24%2C%5B%5D"),
      ("\0\u{7f}", "%00%7F"), ("", ""),
    ])
  func segment(text: String, encoded: String) {
    #expect(InnerPath.segment(text) == encoded)
  }

  @Test("70 §2.2: a query keeps its order and leaves out what is unset")
  func query() {
    #expect(InnerPath.query([("b", "2"), ("a", nil), ("c d", "x&y")]) == "?b=2&c%20d=x%26y")
    #expect(InnerPath.query([("a", "")]) == "?a=")
    #expect(InnerPath.query([("a", nil)]).isEmpty)
    #expect(InnerPath.query([]).isEmpty)
  }

  @Test("a template is filled segment by segment")
  func fill() throws {
    #expect(try InnerPath.fill("/a/{x}/b/{y}", with: [("y", "2/3"), ("x", "{y}")]) == "/a/%7By%7D/b/2%2F3")
    #expect(try InnerPath.fill("/health", with: []) == "/health")
    #expect(throws: APIFailure.self) { try InnerPath.fill("/a/{x}", with: []) }
  }
}
