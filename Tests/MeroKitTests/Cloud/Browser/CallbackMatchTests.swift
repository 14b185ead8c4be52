import Foundation
import Testing

@testable import MeroKit

@Suite("Where a page comes back to")
struct CallbackMatchTests {
  @Test("a callback to this machine is an address of 127.0.0.1, with one slash before its path")
  func loopbackAddress() {
    #expect(CloudCallback.loopback(port: 8123, path: "enrol").url == "http://127.0.0.1:8123/enrol")
    #expect(CloudCallback.loopback(port: 8123, path: "/enrol").url == "http://127.0.0.1:8123/enrol")
  }

  @Test(
    "an answer is recognized by its address, whatever its query and fragment say",
    arguments: [
      (CloudCallback.scheme("notes"), "notes://enrol#credential=a"),
      (.scheme("notes"), "notes://enrol"), (.scheme("notes"), "notes://enrol/#a"),
      (.scheme("Notes"), "notes://enrol?code=1"),
      (.scheme("notes", path: "auth"), "notes://auth#x=notes://enrol"),
      (.https(host: "a.example", path: "enrol"), "https://A.example/enrol#a"),
      (.https(host: "a.example", path: "/"), "https://a.example#a"),
      (.loopback(port: 8123, path: "e"), "http://127.0.0.1:8123/e?a#b"),
    ])
  func matches(_ callback: CloudCallback, _ address: String) throws {
    #expect(callback.matches(try #require(URL(string: address))))
  }

  @Test(
    "an address that only looks like the callback is another",
    arguments: [
      (CloudCallback.scheme("notes"), "notes://other#credential=a"), (.scheme("notes"), "notes:enrol"),
      (.scheme("notes"), "notes2://enrol"), (.scheme("notes"), "x://y?notes://enrol"),
      (.scheme("notes"), "notes://enrol/more"), (.scheme("notes"), "notes://enrol@evil"),
      (.https(host: "a.example", path: "enrol"), "http://a.example/enrol"),
      (.https(host: "a.example", path: "enrol"), "https://a.example/Enrol"),
      (.https(host: "a.example", path: "enrol"), "https://a.example.evil/enrol"),
      (.https(host: "a.example", path: "enrol"), "https://a.example@evil/enrol"),
      (.https(host: "a.example", path: "enrol"), "https://a.example:8443/enrol"),
      (.loopback(port: 8123, path: "e"), "http://127.0.0.1:8124/e"),
      (.loopback(port: 8123, path: "e"), "http://localhost:8123/e"),
    ])
  func others(_ callback: CloudCallback, _ address: String) throws {
    #expect(!callback.matches(try #require(URL(string: address))))
  }

  @Test(
    "60 §5.4: the system's sheet takes a scheme everywhere, and a web address where the system can come back to one"
  )
  func sheet() throws {
    #expect(try SheetCallback(.scheme("notes", path: "auth"), takesWebAddresses: false) == .scheme("notes"))
    let web = CloudCallback.https(host: "a.example", path: "enrol")
    #expect(try SheetCallback(web, takesWebAddresses: true) == .https(host: "a.example", path: "/enrol"))
    let error = #expect(throws: WebAuthenticationError.self) {
      try SheetCallback(web, takesWebAddresses: false)
    }
    #expect(error?.description.contains("iOS 17.4") == true)
  }

  @Test("the system's sheet comes back to no port", arguments: [false, true])
  func sheetAndPorts(takesWebAddresses: Bool) {
    #expect(throws: WebAuthenticationError.self) {
      try SheetCallback(.loopback(port: 8123, path: "e"), takesWebAddresses: takesWebAddresses)
    }
  }
}
