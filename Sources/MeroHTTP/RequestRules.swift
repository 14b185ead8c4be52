import Foundation

extension HTTPRequest {
  /// Refuses what no transport sends: another scheme, or texts that would be another request on the wire.
  func checkRules() throws(TransportError) {
    guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
      url.host?.isEmpty == false
    else {
      throw .refusal("a request needs an http or https address with a host")
    }
    guard method.rawValue.isToken else { throw .refusal("the method is not an HTTP token") }
    for (name, value) in headers {
      guard name.isToken else { throw .refusal("a header's name is not an HTTP token") }
      // A line break in a value would begin another header, or another request; what others make of the rest nobody knows.
      guard !value.utf8.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }) else {
        throw .refusal("the value of the header \(name) has a line break or another control character")
      }
    }
    if case .file(let file)? = body, !file.isFileURL { throw .unreadable(file) }
    if body != nil, method == .get || method == .head {
      throw .refusal("a \(method.rawValue) request cannot have a body")
    }
  }
}

extension TransportError {
  /// A request that is not sent, and why.
  static func refusal(_ text: String) -> TransportError {
    TransportError(kind: .cannotConnect, text: text, mayHaveBeenSent: false)
  }

  static let noMeans = refusal("the system has no means left to send a request")

  static func unreadable(_ file: URL) -> TransportError {
    refusal("the file to send, \(file.lastPathComponent), cannot be read")
  }
}

extension String {
  /// Whether this is a token as HTTP defines it (RFC 9110 §5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          return true
        default: return "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
