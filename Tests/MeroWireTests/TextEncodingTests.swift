import MeroWire
import Testing

@Suite("Hex, base64url and base58")
struct TextEncodingTests {
  @Test("hex is written in lower case and read in either, white space around it aside")
  func hex() throws {
    #expect(Hex.encode([0x00, 0x0F, 0xAB, 0xFF]) == "000fabff")
    #expect(try Hex.decode("000fABff") == [0x00, 0x0F, 0xAB, 0xFF])
    #expect(try Hex.decode(" \n\t00ff\r\n", count: 2) == [0x00, 0xFF])
    #expect(try Hex.decode("") == [])
    #expect(try Hex.decode(Hex.encode(0...255)) == Array(0...255))
  }

  @Test("30 §1: a hex error names the field and the lengths")
  func hexErrors() {
    let short = String(repeating: "a", count: 62)
    #expect(throws: WireError(format: "hex", reason: "executor must be 64 hex characters, got 62")) {
      try Hex.decode(short, count: 32, field: "executor")
    }
    for text in ["a", "0x00", "0g", "00 00", "é", "００", "-1", "+1"] {
      #expect(throws: WireError.self) { try Hex.decode(text) }
    }
  }

  // RFC 4648 §10, in the URL-safe alphabet and without padding.
  @Test(
    "RFC 4648: base64url vectors",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64url(_ plain: String, _ encoded: String) throws {
    #expect(Base64URL.encode(plain.utf8) == encoded)
    #expect(try Base64URL.decode(encoded) == Array(plain.utf8))
    let padded = encoded + String(repeating: "=", count: (4 - encoded.count % 4) % 4)
    #expect(try Base64URL.decode(padded, allowingPadding: true) == Array(plain.utf8))
    if padded != encoded { #expect(throws: WireError.self) { try Base64URL.decode(padded) } }
  }

  @Test("base64url has one spelling per value")
  func base64urlIsCanonical() throws {
    #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-")
    #expect(try Base64URL.decode("-__-") == [0xFB, 0xFF, 0xFE])
    for text in ["+//+", "Zh", "Zm9", "Z", "Zm9vY", "Zg ", " Zg", "Z\ng", "Zg=", "Zé", "=", "Zg\0"] {
      #expect(throws: WireError.self, "\(text)") { try Base64URL.decode(text) }
    }
    for text in ["Zg=", "Zg===", "Z===", "====", "Zm9v====", "Zh==", "=Zg="] {
      #expect(throws: WireError.self, "\(text)") { try Base64URL.decode(text, allowingPadding: true) }
    }
  }

  // From the account vectors, and from the draft "The Base58 Encoding Scheme".
  @Test(
    "base58 vectors",
    arguments: [
      ("", ""), ("00", "1"), ("0000010203", "11Ldp"), ("ff", "5Q"), ("61", "2g"), ("626262", "a3gV"),
      (
        "ed0b945aa8cb712072f64b4c7fa5116164bde6da07fdf1432ac64f465cfe367a",
        "GxKsC2FfSE9vZ7Rm4LWEG5CA4iADL1qsDJt5LeKq2Yc9"
      ),
      (String(repeating: "00", count: 32), String(repeating: "1", count: 32)),
      ("48656c6c6f20576f726c6421", "2NEpo7TZRRrLZSi2U"), ("0000287fb4cd", "11233QC4"),
      (
        "54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e",
        "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z"
      ),
    ])
  func base58(_ hex: String, _ text: String) throws {
    let bytes = try Hex.decode(hex)
    #expect(Base58.encode(bytes) == text)
    #expect(try Base58.decode(text) == bytes)
    #expect(try Base58.decode(text, count: bytes.count) == bytes)
    #expect(throws: WireError.self) { try Base58.decode(text, count: bytes.count + 1) }
  }

  @Test("base58 refuses characters outside its alphabet and texts past its limit")
  func base58Refusals() throws {
    for text in ["0", "O", "I", "l", "1 ", " 1", "a+b", "é", "2g\n", "2g\0"] {
      #expect(throws: WireError.self) { try Base58.decode(text) }
    }
    #expect(throws: WireError.self) {
      try Base58.decode(String(repeating: "z", count: Base58.maximumLength + 1))
    }
    let longest = String(repeating: "1", count: Base58.maximumLength)
    #expect(try Base58.encode(Base58.decode(longest)) == longest)
  }

  @Test("bytes of any length come back through every encoding")
  func roundTrips() throws {
    var generator = SeededGenerator(seed: 2)
    for count in 0..<300 {
      let zeros = [UInt8](repeating: 0, count: Int.random(in: 0...3, using: &generator))
      let bytes = zeros + generator.bytes(count)
      #expect(try Hex.decode(Hex.encode(bytes), count: bytes.count) == bytes)
      #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(try Base58.decode(Base58.encode(bytes)) == bytes)
    }
  }

  @Test("mutated texts never crash a decoder, and one that is accepted is the spelling of its value")
  func fuzz() throws {
    var generator = SeededGenerator(seed: 3)
    let characters = Array("019AZazOIl-_=+/ \0".utf8) + [0x80, 0xC3, 0xFF]
    for _ in 0..<5_000 {
      let bytes = generator.bytes(Int.random(in: 0..<40, using: &generator))
      func mutated(_ text: String) -> String {
        String(decoding: generator.mutated(Array(text.utf8), interesting: characters), as: UTF8.self)
      }
      let hex = mutated(Hex.encode(bytes))
      if let value = try? Hex.decode(hex) { #expect(try Hex.decode(Hex.encode(value)) == value) }
      let base64 = mutated(Base64URL.encode(bytes))
      if let value = try? Base64URL.decode(base64) { #expect(Base64URL.encode(value) == base64) }
      _ = try? Base64URL.decode(base64, allowingPadding: true)
      let base58 = mutated(Base58.encode(bytes))
      if let value = try? Base58.decode(base58) { #expect(Base58.encode(value) == base58) }
    }
  }
}
