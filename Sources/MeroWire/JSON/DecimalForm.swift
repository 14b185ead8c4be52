import Foundation

/// The one form of a number's value: its sign, its digits without zeros at either end, and a power of ten.
///
/// `1e999999999` is one digit and an exponent here; nothing ever writes its zeros out. Zero has no digits.
struct DecimalForm: Hashable {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []  // ASCII
  private(set) var exponent = Exponent.near(0)

  /// - Parameter text: a number in JSON's grammar.
  init(_ text: String) {
    var copy = text
    copy.withUTF8 { read($0) }
  }

  private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
    var scale = 0
    var isFraction = false
    var at = 0
    digits.reserveCapacity(min(text.count, 64))
    scan: while at < text.count {
      switch text[at] {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
      case let digit:
        if isFraction { scale -= 1 }
        if !digits.isEmpty || digit != UInt8(ascii: "0") { digits.append(digit) }
      }
      at += 1
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      scale += 1
    }
    guard !digits.isEmpty else {
      isNegative = false
      return
    }
    exponent = Exponent(written: Array(text[min(at + 1, text.count)...]), plus: scale)
  }

  var isInteger: Bool {
    digits.isEmpty || !exponent.isNegative
  }

  func integer<T: FixedWidthInteger>() -> T? {
    if digits.isEmpty { return 0 }
    // 39 digits hold any integer of 128 bits.
    guard case .near(let zeros) = exponent, zeros >= 0, zeros <= 39, digits.count + zeros <= 39 else {
      return nil
    }
    var value: T = 0
    for digit in digits + Array(repeating: UInt8(ascii: "0"), count: zeros) {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let step = T(digit - UInt8(ascii: "0"))
      // Downwards from zero for negative numbers, so that the smallest integer is reached too.
      let (next, isOutOfRange) =
        isNegative ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
      if isTooLarge || isOutOfRange { return nil }
      value = next
    }
    return value
  }

  func decimal() -> Decimal? {
    if digits.isEmpty { return 0 }
    guard digits.count <= 38, case .near(var power) = exponent, power >= -128, power <= 127 + 37 else {
      return nil
    }
    var significand = digits
    // A Decimal's exponent ends at 127; beyond it, zeros move into the digits while they fit.
    while power > 127 {
      significand.append(UInt8(ascii: "0"))
      power -= 1
    }
    guard significand.count <= 38 else { return nil }
    let high = Decimal(Self.small(significand.dropLast(19)))
    let low = Decimal(Self.small(significand.suffix(19)))
    let whole = high * Decimal(10_000_000_000_000_000_000 as UInt64) + low
    let value = Decimal(sign: .plus, exponent: power, significand: isNegative ? -whole : whole)
    // Foundation's arithmetic rounds without a word; only a value that reads back the same is handed out.
    return DecimalForm(value.description) == self ? value : nil
  }

  private static func small(_ digits: ArraySlice<UInt8>) -> UInt64 {
    digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
  }
}
