import MeroHTTP

/// A request that a browser sent to this machine, whole.
struct LoopbackRequest: Sendable, Hashable {
  /// As it was sent: a token, upper case by custom.
  var method: String
  /// The path without its query.
  var path: String
  var headers: HTTPHeaders
  var body: [UInt8]
}

/// Reads one HTTP/1.1 request out of bytes that anybody may have sent, and keeps no more of them than the limits say.
///
/// It takes the part of HTTP that browsers use and refuses the rest, since each leniency of a reader is a way to show two programs
/// two different requests (RFC 9112 §11.2). How the bytes are cut makes no difference.
///
/// ```swift
/// var reader = LoopbackRequestReader()
/// while case .more = reader.step { reader.feed(try receive()) }
/// ```
struct LoopbackRequestReader: Sendable {
  /// Bytes that a request may have.
  struct Limits: Sendable, Hashable {
    /// With the empty line that ends it.
    var head = 16 << 10
    var body = 64 << 10
    var fields = 100
  }

  enum Step: Sendable, Hashable {
    /// The request is not whole yet.
    case more
    case request(LoopbackRequest)
    case refused(status: Int, String)
  }

  private struct Refusal: Error {
    let status: Int
    let text: String
    init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }
  }

  private(set) var step = Step.more
  private let limits: Limits
  /// What came of the part that is being read.
  private var bytes: [UInt8] = []
  /// The request without its body, once its head is there.
  private var begun: (request: LoopbackRequest, length: Int)?

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Takes what came next. What comes after a request is dropped: each connection is for one.
  mutating func feed(_ more: [UInt8]) {
    var rest = more[...]
    do throws(Refusal) {
      while case .more = step, !rest.isEmpty {
        if let (request, length) = begun {
          let taken = rest.prefix(length - bytes.count)
          bytes += taken
          rest = rest.dropFirst(taken.count)
          finish(request, length)
        } else if let byte = rest.popFirst() {
          try read(byte)
        }
      }
    } catch {
      step = .refused(status: error.status, error.text)
      bytes = []
    }
  }

  private mutating func finish(_ request: LoopbackRequest, _ length: Int) {
    guard bytes.count == length else { return }
    var request = request
    request.body = bytes
    bytes = []
    step = .request(request)
  }

  // MARK: The head

  private mutating func read(_ byte: UInt8) throws(Refusal) {
    bytes.append(byte)
    let endsHead = byte == 0x0A && bytes.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
    guard endsHead || bytes.count < limits.head else { throw Refusal(431, "the request's head is too large") }
    guard endsHead else { return }
    let (request, length) = try head(bytes.dropLast(4))
    begun = (request, length)
    bytes = []
    finish(request, length)
  }

  private func head(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> (LoopbackRequest, length: Int) {
    // With what is visible and spaces alone, a line ends only where every reader sees its end.
    let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    guard isPlain else { throw Refusal(400, "the request's head holds what no head may") }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for index in lines.indices.dropLast() {
      guard lines[index].last == 0x0D else { throw Refusal(400, "a line of the request's head has no end") }
      lines[index] = lines[index].dropLast()
    }
    guard !lines.contains(where: { $0.contains(0x0D) }), let first = lines.first else {
      throw Refusal(400, "a line of the request's head has no end")
    }
    let fields = lines.dropFirst()
    guard fields.count <= limits.fields else { throw Refusal(431, "the request has too many header fields") }
    let (method, path) = try Self.requestLine(first)
    var headers = HTTPHeaders()
    for line in fields {
      let (name, value) = try Self.field(line)
      headers.add(name, value)
    }
    guard headers.values(of: "host").count == 1 else { throw Refusal(400, "a request names its host once") }
    let length = try length(headers)
    return (LoopbackRequest(method: method, path: path, headers: headers, body: []), length)
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(Refusal) -> (method: String, path: String) {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]), words[1].first == 0x2F, !words[1].contains(0x09) else {
      throw Refusal(400, "this is no request of a browser")
    }
    switch String(decoding: words[2], as: UTF8.self) {
    case "HTTP/1.1", "HTTP/1.0": break
    case let version where version.hasPrefix("HTTP/"): throw Refusal(505, "this answers HTTP/1.1 only")
    default: throw Refusal(400, "this is no request of a browser")
    }
    let path = words[1].prefix { $0 != 0x3F }
    return (String(decoding: words[0], as: UTF8.self), String(decoding: path, as: UTF8.self))
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> (name: String, value: String) {
    // A space before the colon, and a line that goes on with the one before, are read differently by different readers.
    guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else {
      throw Refusal(400, "a header field of the request has no name")
    }
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let value = line[(colon + 1)...].drop(while: isBlank)
    let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
    return (
      String(decoding: line[..<colon], as: UTF8.self),
      String(decoding: value[value.startIndex..<end], as: UTF8.self)
    )
  }

  private func length(_ headers: HTTPHeaders) throws(Refusal) -> Int {
    guard headers["transfer-encoding"] == nil else {
      throw Refusal(501, "a body is sent with its length, and in one piece")
    }
    let stated = headers.values(of: "content-length")
    guard let text = stated.first else { return 0 }
    guard stated.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw Refusal(400, "the length of the body is none")
    }
    guard let length = Int(text), length <= limits.body else {
      throw Refusal(413, "the body is larger than \(limits.body) bytes")
    }
    return length
  }

  /// RFC 9110 §5.6.2.
  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { tokenBytes.contains($0) }
  }

  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}
