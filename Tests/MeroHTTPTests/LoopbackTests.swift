import Testing

@testable import MeroHTTP

@Suite struct LoopbackTests {
  @Test(
    "localhost, names below it, 127.0.0.0/8 and ::1 are loopback",
    arguments: [
      "localhost", "LOCALHOST", "localhost.", "node1.localhost", "a.b.localhost", "127.0.0.1",
      "127.255.255.255",
      "127.0.0.0", "::1", "[::1]", "0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]",
    ])
  func accepts(host: String) {
    #expect(Loopback.isLoopback(host: host))
  }

  @Test(
    "a name that only looks like loopback is not",
    arguments: [
      "", ".", "localhost.example.com", "mylocalhost", ".localhost", "a..localhost", "127.0.0.1.example.com",
      "127.1", "127.0.0", "127.0.0.256", "127.0.0.01", "0127.0.0.1", "128.0.0.1", "127.0.0.", "127.0.0.+1",
      "10.0.0.1", "0.0.0.0", "::", "::2", "::ffff:127.0.0.1", "[::1", "::1%lo", "1::1", "１２７.0.0.1", "::1]",
    ])
  func refuses(host: String) {
    #expect(!Loopback.isLoopback(host: host))
  }
}
