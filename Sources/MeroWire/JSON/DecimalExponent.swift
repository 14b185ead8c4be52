extension DecimalForm {
  /// A power of ten. JSON bounds it nowhere, so one that no `Int` holds is kept as decimal digits.
  enum Exponent: Hashable {
    case near(Int)
    case far(isNegative: Bool, digits: [UInt8])

    /// - Parameters:
    ///   - written: sign and digits as they follow the `e`; empty means none.
    ///   - shift: what the position of the point adds; as small as a text is long.
    init(written: [UInt8], plus shift: Int) {
      let isNegative = written.first == UInt8(ascii: "-")
      let digits = written.drop { !JSONNumberGrammar.isDigit($0) || $0 == UInt8(ascii: "0") }
      if let value = Self.int(digits, isNegative: isNegative) {
        let (sum, isTooLarge) = value.addingReportingOverflow(shift)
        if !isTooLarge {
          self = .near(sum)
          return
        }
      }
      // The written exponent is far larger than the shift, so the sign stays.
      let sum =
        isNegative == (shift < 0)
        ? Self.adding(shift.magnitude, to: Array(digits))
        : Self.subtracting(shift.magnitude, from: Array(digits))
      if let value = Self.int(sum[...], isNegative: isNegative) {
        self = .near(value)
      } else {
        self = .far(isNegative: isNegative, digits: sum)
      }
    }

    var isNegative: Bool {
      switch self {
      case .near(let value): return value < 0
      case .far(let isNegative, _): return isNegative
      }
    }

    private static func int(_ digits: ArraySlice<UInt8>, isNegative: Bool) -> Int? {
      guard digits.count <= 19 else { return nil }
      var value = 0
      for digit in digits {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (next, carry) = product.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
        if overflow || carry { return nil }
        value = next
      }
      return isNegative ? -value : value
    }

    private static func adding(_ amount: UInt, to digits: [UInt8]) -> [UInt8] {
      var result = digits
      var carry = amount
      for position in result.indices.reversed() where carry > 0 {
        carry += UInt(result[position] - UInt8(ascii: "0"))
        result[position] = UInt8(ascii: "0") + UInt8(carry % 10)
        carry /= 10
      }
      return carry == 0 ? result : Array(String(carry).utf8) + result
    }

    private static func subtracting(_ amount: UInt, from digits: [UInt8]) -> [UInt8] {
      var result = digits
      var borrow = amount
      for position in result.indices.reversed() where borrow > 0 {
        let digit = UInt(result[position] - UInt8(ascii: "0"))
        let take = borrow % 10
        result[position] = UInt8(ascii: "0") + UInt8((digit + 10 - take) % 10)
        borrow = borrow / 10 + (digit < take ? 1 : 0)
      }
      return Array(result.drop { $0 == UInt8(ascii: "0") })
    }
  }
}
