/// As many classes as there are numbers. Swift makes no class while it runs, but a generic one for each type that it is given,
/// and types can be made of types: `Zero<One<End>>` is a number in binary.
enum NumberedProtocol {
  /// The class of a number; another number has another one.
  static func type(_ number: Int) -> MockURLProtocol.Type {
    var digits: any Digits.Type = End.self
    var rest = number
    while rest > 0 {
      digits = rest & 1 == 1 ? digits.one : digits.zero
      rest >>= 1
    }
    return digits.mock
  }
}

private protocol Digits {}
private enum End: Digits {}
private enum Zero<Rest: Digits>: Digits {}
private enum One<Rest: Digits>: Digits {}

extension Digits {
  fileprivate static var zero: any Digits.Type { Zero<Self>.self }
  fileprivate static var one: any Digits.Type { One<Self>.self }
  fileprivate static var mock: MockURLProtocol.Type { SessionProtocol<Self>.self }
}

/// The protocol of one session.
private final class SessionProtocol<Number: Digits>: MockURLProtocol {}
