// The vectors are written in hex, as their sources have them. A reader of its own keeps these tests independent.

func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { !$0.isWhitespace }.map { character in
    guard let digit = character.hexDigitValue else { preconditionFailure("not a hex digit: \(character)") }
    return UInt8(digit)
  }
  precondition(digits.count.isMultiple(of: 2), "half a byte in a vector")
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  bytes[bit / 8] ^= 1 << (bit % 8)
  return bytes
}
