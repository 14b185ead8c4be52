import MeroWire

/// A value in the document together with where it stands, so that a refusal can name the place.
struct DocumentNode {
  let value: JSONValue
  let place: String

  func refuse(_ reason: String) -> GeneratorError {
    GeneratorError(place: place, reason: reason)
  }

  /// An object whose names are all among the given ones. Extensions that are not Calimero's are passed over; one
  /// of Calimero's that is not listed may change what a client has to do, so it is refused like any other name.
  func object(_ allowed: Set<String>) throws(GeneratorError) -> DocumentObject {
    let object = try map()
    for (name, _) in object.entries where !allowed.contains(name) {
      if name.hasPrefix("x-"), !name.hasPrefix("x-calimero-") { continue }
      throw refuse("\"\(name)\" is not understood here.")
    }
    return object
  }

  /// An object whose names are the document's own.
  func map() throws(GeneratorError) -> DocumentObject {
    guard let object = value.objectValue else { throw refuse("an object is expected.") }
    return DocumentObject(
      place: place,
      entries: object.map {
        ($0.key, DocumentNode(value: $0.value, place: place.isEmpty ? $0.key : "\(place).\($0.key)"))
      }
    )
  }

  func array() throws(GeneratorError) -> [DocumentNode] {
    guard let items = value.arrayValue else { throw refuse("an array is expected.") }
    return items.enumerated().map { DocumentNode(value: $0.element, place: "\(place)[\($0.offset)]") }
  }

  func string() throws(GeneratorError) -> String {
    guard let text = value.stringValue else { throw refuse("a string is expected.") }
    return text
  }

  func bool() throws(GeneratorError) -> Bool {
    guard let flag = value.boolValue else { throw refuse("true or false is expected.") }
    return flag
  }

  func int() throws(GeneratorError) -> Int {
    guard let number = value.numberValue?.int else { throw refuse("an integer is expected.") }
    return number
  }

  func strings() throws(GeneratorError) -> [String] {
    var strings: [String] = []
    for item in try array() { strings.append(try item.string()) }
    return strings
  }

  /// The name at the end of a reference into a part of the components.
  func reference(into part: String) throws(GeneratorError) -> String {
    let prefix = "#/components/\(part)/"
    let text = try string()
    guard text.hasPrefix(prefix) else { throw refuse("a reference into \(prefix) is expected.") }
    return String(text.dropFirst(prefix.count))
  }
}

/// An object of the document.
struct DocumentObject {
  let place: String
  let entries: [(String, DocumentNode)]

  subscript(name: String) -> DocumentNode? {
    entries.first { $0.0 == name }?.1
  }

  func required(_ name: String) throws(GeneratorError) -> DocumentNode {
    guard let node = self[name] else { throw GeneratorError(place: place, reason: "\"\(name)\" is missing.") }
    return node
  }

  func text(_ name: String) throws(GeneratorError) -> String {
    try self[name]?.string() ?? ""
  }

  func flag(_ name: String) throws(GeneratorError) -> Bool {
    try self[name]?.bool() ?? false
  }
}
