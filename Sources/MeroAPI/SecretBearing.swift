/// A value that holds a secret, which is left out when it is printed or dumped: a log is no place for a token.
protocol SecretBearing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Every other field, by its name.
  var shown: [(label: String?, value: Any)] { get }
}

extension SecretBearing {
  /// Its fields without the secrets.
  public var description: String {
    let fields = shown.map { "\($0.label ?? "_"): \($0.value)" }
    return "\(type(of: self))(\(fields.joined(separator: ", ")))"
  }
  /// Its fields without the secrets.
  public var debugDescription: String { description }
  /// Its fields without the secrets.
  public var customMirror: Mirror { Mirror(self, children: shown, displayStyle: .struct) }
}
