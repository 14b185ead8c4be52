import Foundation
import MeroCrypto
import MeroTrust
import MeroWire

/// A quote and what it is checked with, as files hold them.
struct QuoteFiles: Sendable {
  let quote: [UInt8]
  /// JSON text in the form that a node sends; nil where there is none.
  let collateral: Data?
  let root: QuoteRoot
  let time: Date

  /// Reads `--quote`, `--collateral`, `--root` and `--at`; nil when no quote is named.
  init?(_ arguments: Arguments) throws {
    root = try Self.root(arguments)
    time = try Self.time(arguments) ?? Date()
    guard let path = arguments.value("--quote") else { return nil }
    quote = try Self.quote(in: try FileContent.read(path), path)
    collateral = try arguments.value("--collateral").map(FileContent.read)
  }

  init(quote: [UInt8], collateral: Data?, root: QuoteRoot, time: Date) {
    self.quote = quote
    self.collateral = collateral
    self.root = root
    self.time = time
  }

  /// The options that are read here.
  static let options: Set<String> = ["--quote", "--collateral", "--root", "--at"]

  static func root(_ arguments: Arguments) throws -> QuoteRoot {
    guard let path = arguments.value("--root") else { return .intel }
    let content = try FileContent.read(path)
    // A certificate in DER begins with a SEQUENCE; no text does.
    if content.first == 0x30 { return try QuoteRoot(der: content) }
    do {
      let certificates = try PEM.certificates(in: [UInt8](content)[...])
      guard certificates.count == 1 else { throw FileProblem(path, "holds more than one certificate") }
      return try QuoteRoot(der: certificates[0].encoded)
    } catch let error as X509Error {
      throw FileProblem(path, "is no certificate in DER or PEM: \(error)")
    }
  }

  static func time(_ arguments: Arguments) throws -> Date? {
    guard let text = arguments.value("--at") else { return nil }
    // Years of four digits, which is what certificates and reports can name.
    guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
      throw UsageError("--at takes seconds since 1970, not “\(text)”")
    }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// The bytes of a quote: as they are, or written as hex or base64. No quote is text: its second byte is zero, and a
  /// mock one ends in zeros.
  static func quote(in content: Data, _ path: String) throws -> [UInt8] {
    guard !content.isEmpty else { throw FileProblem(path, "is empty") }
    guard content.allSatisfy({ 0x20...0x7E ~= $0 || 0x09...0x0D ~= $0 }) else { return [UInt8](content) }
    let text = String(decoding: content, as: UTF8.self).filter { !$0.isWhitespace }
    if let bytes = try? Hex.decode(text), !bytes.isEmpty { return bytes }
    if let bytes = Data(base64Encoded: text), !bytes.isEmpty { return [UInt8](bytes) }
    throw FileProblem(path, "is neither a quote nor the hex or base64 text of one")
  }
}

/// Files that the tool is pointed at.
enum FileContent {
  /// Larger than any file that is read here.
  private static let largest = 16 << 20

  static func read(_ path: String) throws -> Data {
    guard let file = FileHandle(forReadingAtPath: path), let content = try? file.read(upToCount: largest + 1)
    else { throw FileProblem(path, "cannot be read") }
    guard content.count <= largest else { throw FileProblem(path, "is larger than 16 MiB") }
    return content
  }

  static func json(_ path: String) throws -> JSONValue {
    do {
      return try JSONValue(parsing: try read(path))
    } catch let error as WireError {
      throw FileProblem(path, "is not JSON: \(error.reason)")
    }
  }
}

/// A file does not hold what it should.
struct FileProblem: Error, CustomStringConvertible {
  let description: String
  init(_ path: String, _ text: String) { description = "\(path) \(text)" }
}
