import Foundation
import MeroCrypto
import Testing

/// The examples that FIPS 180 refers to.
struct HashTests {
  private let short = Array("abc".utf8)
  private let twoBlocks = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
  private let twoLongBlocks = Array(
    """
    abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst\
    nopqrstu
    """.utf8)

  @Test("SHA-256 gives the known digests")
  func sha256() {
    #expect(
      hex(SHA256.hash([UInt8]())) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hex(SHA256.hash(short)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hex(SHA256.hash(twoBlocks)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    let million = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(hex(SHA256.hash(million)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("SHA-384 gives the known digests")
  func sha384() {
    #expect(
      hex(SHA384.hash(short)) == """
        cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7
        """)
    #expect(
      hex(SHA384.hash(twoLongBlocks)) == """
        09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039
        """)
  }

  @Test("SHA-512 gives the known digests")
  func sha512() {
    #expect(
      hex(SHA512.hash(short)) == """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423\
        643ce80e2a9ac94fa54ca49f
        """)
    #expect(
      hex(SHA512.hash(twoLongBlocks)) == """
        8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329ee\
        b6dd26545e96e55b874be909
        """)
  }

  @Test("a hash in pieces equals the hash in one, however the pieces are cut", arguments: 1...20)
  func pieces(size: Int) {
    let message = Array(0..<UInt8(200))
    var hasher = SHA512.Hasher()
    for start in stride(from: 0, to: message.count, by: size) {
      hasher.update(message[start..<min(start + size, message.count)])
    }
    #expect(hasher.finalize() == SHA512.hash(message))
  }

  @Test("a copied hasher goes on independently, and a finished one starts over")
  func copies() {
    var one = SHA256.Hasher()
    one.update(Array("a".utf8))
    var other = one
    one.update(Array("bc".utf8))
    other.update(Array("xy".utf8))
    #expect(one.finalize() == SHA256.hash(short))
    #expect(other.finalize() == SHA256.hash(Array("axy".utf8)))
    one.update(short)
    #expect(one.finalize() == SHA256.hash(short))
    #expect(one.finalize() == SHA256.hash([UInt8]()))
  }
}
