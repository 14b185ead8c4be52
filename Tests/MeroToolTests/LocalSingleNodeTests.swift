import Foundation
import LocalCluster
import MeroHTTP
import Testing

@testable import mero

@Suite("mero local's single node", .timeLimit(.minutes(3)))
struct LocalSingleNodeTests {
  private func single(_ words: String...) throws -> LocalSingleNode? {
    try LocalSingleNode(Arguments(words, flags: ["--no-node"], values: LocalSingleNode.options))
  }

  @Test("it begins without an owner and with two contexts, and tells where it is")
  func serves() async throws {
    let single = try #require(try single("--node-port", "0", "--login-callback", "notes://auth"))
    try await single.start()
    let url = try #require(await single.server.url).absoluteString
    let lines = await single.lines()
    #expect(lines.first == "single   \(url) (login page \(url)/auth/login)")
    #expect(lines.count == 3)
    #expect(single.server.node.contextIds == single.contexts.map(\.id))
    let page = try #require(URL(string: "\(url)/auth/login?callback-url=notes%3A%2F%2Fauth&mode=admin"))
    let answer = try await URLSessionTransport().send(HTTPRequest(.get, page))
    #expect(answer.status == 200)
    let html = String(decoding: try await answer.body.collect(upTo: 1 << 20), as: UTF8.self)
    #expect(html.contains("Nobody has used this node before"))
    await single.server.stop()
  }

  @Test("a taken port is named with the options that help")
  func takenPort() async throws {
    let other = LocalNode(port: 0)
    let port = try #require(try await other.start().port)
    let single = try #require(try single("--node-port", "\(port)"))
    let error = await #expect(throws: LocalError.self) { try await single.start() }
    #expect(error?.description.contains("port \(port)") == true)
    #expect(error?.description.contains("--node-port") == true)
    #expect(error?.description.contains("--no-node") == true)
    await other.stop()
  }

  @Test("it can be left out, and options that have no meaning are refused")
  func options() throws {
    #expect(try single("--no-node") == nil)
    for words in [["--no-node", "--node-port", "1"], ["--login-callback", "javascript:alert(1)"]] {
      #expect(throws: UsageError.self) {
        try LocalSingleNode(Arguments(words, flags: ["--no-node"], values: LocalSingleNode.options))
      }
    }
  }
}
