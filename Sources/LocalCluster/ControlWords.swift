import Foundation
import MeroKitTestSupport
import MeroWire

/// The JSON object that the control listener is told a fault in: its name, and the fields that belong to it.
struct ControlWords {
  let fault: String
  let fields: JSONValue

  init(parsing body: Data) throws {
    guard let fields = try? JSONValue(parsing: body), let fault = fields["fault"]?.stringValue else {
      throw ControlError(400, #"the body is a JSON object such as {"fault": "loseAnswer", "times": 1}"#)
    }
    self.fault = fault
    self.fields = fields
  }

  var unknownFault: ControlError { ControlError(400, "there is no fault “\(fault)”") }

  func times() throws -> Int { try number("times", in: 1...1_000_000, default: 1) }

  func number(_ field: String, in range: ClosedRange<Int>, default fallback: Int? = nil) throws -> Int {
    guard let value = fields[field] else {
      if let fallback { return fallback }
      throw ControlError(400, "the fault “\(fault)” needs “\(field)”")
    }
    guard let number = value.int, range.contains(number) else {
      throw ControlError(400, "“\(field)” is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func text(_ field: String) throws -> String {
    guard let text = fields[field]?.stringValue else {
      throw ControlError(400, "the fault “\(fault)” needs “\(field)”")
    }
    return text
  }

  func streamEnd() throws -> FakeCloudNode.StreamEnd {
    switch fields["how"]?.stringValue {
    case nil, "ended": return .ended
    case "cut": return .cut
    case "frozen": return .frozen
    case .some(let how): throw ControlError(400, "streams cannot be ended “\(how)”")
    }
  }
}
