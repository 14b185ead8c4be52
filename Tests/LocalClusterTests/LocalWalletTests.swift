import Foundation
import MeroHTTP
import Testing

@testable import LocalCluster

@Suite("The wallet's page")
struct LocalWalletTests {
  private static let key = String(repeating: "a", count: 64)
  private static let asked =
    "enrol-device=\(key)&enrol-kem=\(key)&callback-url=notes%3A%2F%2Fenrol&state=s"

  private func open(_ query: String, at wallets: LocalWallets = LocalWallets()) async throws -> (
    status: Int, location: String?, text: String
  ) {
    let url = try #require(URL(string: "http://127.0.0.1:2546/account-enroll?\(query)"))
    let response = try await wallets.handle(HTTPRequest(.get, url))
    let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    return (response.status, response.headers["location"], text)
  }

  @Test("a name is the same account after a restart, and its devices are numbered anew")
  func restart() async throws {
    func fields(_ name: String) async throws -> [String: String] {
      let location = try await open("\(Self.asked)&name=\(name)&answer=approve").location
      let fragment = try #require(location?.split(separator: "#").last)
      return Dictionary(
        uniqueKeysWithValues: fragment.split(separator: "&").map { pair in
          let parts = pair.split(separator: "=").map(String.init)
          return (parts[0], parts[1])
        })
    }
    let (one, other) = (try await fields("ada"), try await fields("ada"))
    #expect(one["account"] != nil && one["account"] == other["account"])
    #expect(one["device"] != other["device"])
    #expect(try await fields("grace")["account"] != one["account"])
  }

  @Test("to say no one need not say who one is")
  func decline() async throws {
    let answer = try await open("\(Self.asked)&name=&answer=decline")
    #expect(answer.status == 303)
    #expect(answer.location?.hasPrefix("notes://enrol#error=cancelled") == true)
    // Nor does the browser ask for it.
    #expect(try await open(Self.asked).text.contains(#"value="decline" formnovalidate"#))
  }

  @Test("nobody is asked about an address that asks for nothing, nor about a name that is too long")
  func refusals() async throws {
    for query in ["", "enrol-kem=\(Self.key)", "name=ada&answer=approve"] {
      let answer = try await open(query)
      #expect(answer.status == 400, "\(query)")
      #expect(!answer.text.contains("Add this device"))
    }
    let long = String(repeating: "n", count: LocalWallets.nameLimit + 1)
    #expect(try await open("\(Self.asked)&name=\(long)&answer=approve").status == 400)
    #expect(try await open("\(Self.asked)&name=\(long.dropLast())&answer=approve").status == 303)
  }
}
