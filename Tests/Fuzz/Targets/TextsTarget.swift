import Foundation
import MeroTrust
import MeroWire

extension FuzzTarget {
  /// Hex, base58 and base64url, both ways.
  static let texts = FuzzTarget(name: "texts", dictionary: nil) {
    ["00ff", "1112VfUX", "AQID", "AQI=", " 00 ", "2.3.109-rc.1+build"].map { Array($0.utf8) }
      + [
        filled(with: Array("z".utf8)), filled(with: Array("1".utf8)), filled(with: [0xFF]),
        filled(with: [0x20]),
      ]
  } check: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    hold(try Hex.decode(Hex.encode(bytes)) == bytes, "hex is its own inverse")
    hold(try Base64URL.decode(Base64URL.encode(bytes)) == bytes, "base64url is its own inverse")
    if let read = unlessRefused(WireError.self, { try Hex.decode(text) }) {
      hold(
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() == Hex.encode(read),
        "hex is written as it was read")
    }
    if let read = unlessRefused(WireError.self, { try Base64URL.decode(text) }) {
      hold(Base64URL.encode(read) == text, "bytes have one spelling in base64url")
    }
    let read = unlessRefused(WireError.self) { try Base58.decode(text) }
    // Nobody encodes more: only ids and invitations are written in base58.
    if let read, read.count <= 1024 {
      hold(Base58.encode(read) == text, "bytes have one spelling in base58")
    }
    if let version = ReleaseVersion(text) {
      hold(version.text == text && !(version < version), "a version is its text, and not before itself")
      for known in ["0.0.0-0", "2.3.109-rc.1", "2.3.109", "3.0.0"].compactMap(ReleaseVersion.init) {
        hold(!(version < known && known < version), "of two versions one at most is before the other")
      }
    }
    if bytes.count <= 1024 {
      hold(try Base58.decode(Base58.encode(bytes)) == bytes, "base58 is its own inverse")
    }
  }
}
