import Foundation
import MeroTrust
import MeroWire

/// A file of quotes with collateral, as far as policies need it: each case by its name.
struct QuoteCaseFile {
  let cases: [String: QuoteCase]

  init(_ file: VectorObject, folder: URL?) throws(Mismatch) {
    file.prose("description")
    let roots = try Self.roots(try file.object("roots"))
    let collaterals = try file.object("collaterals")
    var cases: [String: QuoteCase] = [:]
    for object in try file.objects("cases") {
      let name = try object.text("name")
      let made = try QuoteCase(object, roots: roots, collaterals: collaterals, folder: folder)
      guard cases.updateValue(made, forKey: name) == nil else {
        throw Mismatch("the case \(name) is there twice")
      }
    }
    self.cases = cases
    try file.finish()
  }

  private static func roots(_ object: VectorObject) throws(Mismatch) -> [String: QuoteRoot] {
    var roots: [String: QuoteRoot] = [:]
    for name in object.keys {
      guard let root = try? QuoteRoot(der: try object.base64(name)) else {
        throw Mismatch("the root \(name) cannot be used")
      }
      roots[name] = root
    }
    return roots
  }
}

/// A quote, the collateral to check it with, and when.
struct QuoteCase {
  let quote: [UInt8]
  let collateral: JSONValue
  let root: QuoteRoot
  let time: Date

  init(
    _ object: VectorObject, roots: [String: QuoteRoot], collaterals: VectorObject, folder: URL?
  ) throws(Mismatch) {
    object.prose("origin", "note")
    let rootName = try object.text("root")
    guard let root = roots[rootName] else { throw Mismatch("there is no root \(rootName)") }
    self.root = root
    time = Date(timeIntervalSince1970: TimeInterval(try object.number("nowSecs")))
    quote =
      object.has("quoteFile")
      ? try bytes(ofFile: try object.text("quoteFile"), in: folder) : try object.base64("quote")
    guard var collateral = try collaterals.value(try object.text("collateral")).objectValue else {
      throw Mismatch("a collateral is not an object")
    }
    if object.has("collateralOverride") {
      guard let members = try object.value("collateralOverride").objectValue else {
        throw Mismatch("an override of the collateral is not an object")
      }
      for (name, value) in members { collateral[name] = value }
    }
    self.collateral = .object(collateral)
    try object.finish()
  }
}

/// A file that a vector file names, beside it.
func bytes(ofFile name: String, in folder: URL?) throws(Mismatch) -> [UInt8] {
  guard let folder, !name.contains("/"),
    let content = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
  else { throw Mismatch("the file \(name) cannot be read") }
  return [UInt8](content)
}

func vectorFile(_ name: String, in folder: URL?) throws -> VectorObject {
  let content = try bytes(ofFile: name, in: folder)
  return try VectorObject(try JSONValue(parsing: Data(content)), path: name)
}
