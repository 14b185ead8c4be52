import Foundation
import MeroCrypto
import Testing

struct AESGCMTests {
  @Test("what is sealed opens again, in arrays and in Data")
  func roundTrip() throws {
    let key = try AESGCM(key: bytes(String(repeating: "42", count: 32)))
    let nonce = [UInt8](repeating: 7, count: 12)
    let header = Data("header".utf8)
    for count in [0, 1, 15, 16, 17, 65_536] {
      let text = SecureRandom.bytes(count)
      let sealed = try key.seal(text, nonce: nonce, authenticating: header)
      #expect(sealed.count == count + 16)
      #expect(try key.sealData(text, nonce: nonce, authenticating: header) == Data(sealed))
      #expect(try key.open(sealed, nonce: nonce, authenticating: header) == text)
      #expect(try key.openData(Data(sealed), nonce: nonce, authenticating: header) == Data(text))
    }
  }
}
