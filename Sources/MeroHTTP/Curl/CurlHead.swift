#if canImport(CCurl)
  import Foundation

  /// Puts the lines that libcurl hands over together to the head of an answer.
  ///
  /// There may be several heads (100 Continue before the real one) and lines after it (the trailers of a chunked body).
  struct CurlHead {
    /// All lines together. Nothing that answers us comes near it, and an endless head must not fill memory.
    static let limit = 256 << 10

    enum Step: Equatable {
      case more
      case head(status: Int, HTTPHeaders)
      case tooLarge
      case notHTTP
    }

    private var status: Int?
    private var fields: [(name: String, value: String)] = []
    private var byteCount = 0
    private var isOver = false

    /// Takes one line with its end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
      guard !isOver else { return .more }
      byteCount += line.count
      guard byteCount <= Self.limit else { return .tooLarge }
      // In bytes: a character may be a colon and an accent, and more than two of them end a line.
      let line = line.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      guard let status else { return begin(String(decoding: line, as: UTF8.self)) }
      guard let first = line.first else { return end(status) }
      if Self.isBlank(first) {
        // The old way to go on with a field on the next line.
        guard let last = fields.indices.last else { return .notHTTP }
        fields[last].value += " " + Self.value(line)
        return .more
      }
      // What has no colon is no field; libcurl lets it pass.
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .more }
      fields.append((String(decoding: line[..<colon], as: UTF8.self), Self.value(line[(colon + 1)...])))
      return .more
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// What is between the blanks at both ends.
    private static func value(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
      let rest = bytes.drop(while: isBlank)
      let end = rest.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? rest.startIndex
      return String(decoding: rest[..<end], as: UTF8.self)
    }

    private mutating func begin(_ text: String) -> Step {
      let parts = text.split(separator: " ", maxSplits: 2)
      guard text.hasPrefix("HTTP/"), parts.count >= 2, let status = Int(parts[1]) else { return .notHTTP }
      self.status = status
      return .more
    }

    private mutating func end(_ status: Int) -> Step {
      // 101 would be the last head of its connection.
      if (100..<200).contains(status), status != 101 {
        self.status = nil
        fields = []
        return .more
      }
      isOver = true
      return .head(status: status, HTTPHeaders(fields.map { ($0.name, $0.value) }))
    }
  }
#endif
