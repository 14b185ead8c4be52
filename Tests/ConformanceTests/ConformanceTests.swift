import Foundation
import MeroWire
import Testing

@testable import mero

@Suite("conformance of the sealed channel")
struct ConformanceTests {
  private static let file =
    Bundle.module.url(forResource: "sealed", withExtension: "json", subdirectory: "Vectors")?.path ?? ""

  private func failures(_ file: JSONValue) async -> [ConformanceRun.Failure] {
    var run = ConformanceRun(stopsAtFailure: true)
    await runConformance(content: file.data(), name: "sealed.json", into: &run)
    return run.failed
  }

  private func vectors() throws -> JSONValue {
    try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: Self.file)))
  }

  @Test("50 §8 #1 to #4: every case of the vectors passes, on both sides")
  func everything() async throws {
    let run = await runConformance(files: [Self.file])
    for failure in run.failed { Issue.record("\(failure.name): \(failure.reason)") }
    // Two sessions with 13 values on two sides, 7 exchanges, 16 and 17 refusals, 11 report data.
    #expect(run.passed > 150)
  }

  @Test("changing any one value of the file makes the run fail")
  func everyValueCounts() async throws {
    let original = try vectors()
    let places = leaves(of: original)
    #expect(places.count > 300)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, place) in places.enumerated() {
        group.addTask {
          for changed in variations(of: place, number) {
            let file = try replacing(original, place.path[...], with: changed)
            #expect(
              await !failures(file).isEmpty, "\(place.path.map(\.text).joined(separator: ".")) is not checked"
            )
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("taking any key away, and adding one anywhere, makes the run fail")
  func keysCount() async throws {
    let original = try vectors()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for path in objects(of: original) {
        guard let object = try value(at: path[...], in: original).objectValue else { continue }
        for key in object.keys where !isProse(key) {
          group.addTask {
            var less = object
            less.removeValue(forKey: key)
            let file = try replacing(original, path[...], with: .object(less))
            #expect(await !failures(file).isEmpty, "\(path.map(\.text)).\(key) is not missed")
          }
        }
        group.addTask {
          var more = object
          more["surprise"] = 1
          let file = try replacing(original, path[...], with: .object(more))
          #expect(await !failures(file).isEmpty, "\(path.map(\.text)) takes unknown keys")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("a case that is there twice, or not at all, makes the run fail")
  func casesCount() async throws {
    let original = try vectors()
    for list in ["clientMustRefuse", "nodeMustRefuse"] {
      let cases = try #require(original[list]?.arrayValue)
      for changed in [cases + [cases[3]], Array(cases.dropFirst()), []] {
        let file = try replacing(original, [.key(list)], with: .array(changed))
        #expect(await !failures(file).isEmpty)
      }
    }
  }

  @Test("the command succeeds on good files only, and says so in its exit code")
  func exitCodes() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "conformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    #expect(await ConformanceCommand.run([Self.file]) == 0)
    #expect(await ConformanceCommand.run([]) == 2)
    #expect(await ConformanceCommand.run(["--unknown"]) == 2)
    #expect(await ConformanceCommand.run(["--help"]) == 0)
    for bad in [
      folder.appendingPathComponent("missing.json").path, folder.path, try write("text.json", "no json"),
      try write("empty.json", ""), try write("other.json", #"{"protocol":"x"}"#),
      try write("list.json", "[1]"),
      try write("hollow.json", #"{"protocol":"x","session":{},"exchanges":[]}"#),
    ] {
      #expect(await ConformanceCommand.run([bad]) == 1)
      #expect(await ConformanceCommand.run([Self.file, bad]) == 1)
    }
  }
}

// MARK: Changing one place of a file

private enum Step: Sendable {
  case key(String)
  case index(Int)

  var text: String {
    switch self {
    case .key(let key): key
    case .index(let index): "\(index)"
    }
  }
}

private struct Place: Sendable {
  let path: [Step]
  let value: JSONValue
}

/// What people wrote for people; everything else in the file is data.
private func isProse(_ key: String) -> Bool {
  key == "note" || key == "description" || key == "madeWith"
}

private func leaves(of value: JSONValue, _ path: [Step] = []) -> [Place] {
  switch value {
  case .object(let object):
    object.flatMap { key, value in isProse(key) ? [] : leaves(of: value, path + [.key(key)]) }
  case .array(let array):
    array.enumerated().flatMap { index, value in leaves(of: value, path + [.index(index)]) }
  default:
    [Place(path: path, value: value)]
  }
}

private func objects(of value: JSONValue, _ path: [Step] = []) -> [[Step]] {
  switch value {
  case .object(let object):
    [path] + object.flatMap { key, value in objects(of: value, path + [.key(key)]) }
  case .array(let array):
    array.enumerated().flatMap { index, value in objects(of: value, path + [.index(index)]) }
  default: []
  }
}

/// The value with one character or digit changed: anywhere; and in secrets also where X25519 ignores bits.
private func variations(of place: Place, _ number: Int) -> [JSONValue] {
  switch place.value {
  case .string(let text):
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return ["00"] }
    var places = [number * 7919 % bytes.count]
    if place.path.last?.text.hasSuffix("Secret") == true { places += [1, bytes.count - 2] }
    return places.map { index in
      var changed = bytes
      changed[index] = other(than: bytes[index])
      return .string(String(decoding: changed, as: UTF8.self))
    }
  case .number(let number):
    var text = Array(number.text.utf8)
    text[text.count - 1] = text.last == UInt8(ascii: "9") ? UInt8(ascii: "8") : UInt8(ascii: "9")
    return [JSONNumber(String(decoding: text, as: UTF8.self)).map { .number($0) } ?? .null]
  case .bool(let flag): return [.bool(!flag)]
  default: return []
  }
}

/// Another hex digit for a hex digit, differing in one bit; another letter for a letter.
private func other(than byte: UInt8) -> UInt8 {
  let digits = Array("0123456789abcdef".utf8)
  guard let value = digits.firstIndex(of: byte) else { return byte == UInt8(ascii: "x") ? 0x79 : 0x78 }
  return digits[value ^ 4]
}

private struct NoSuchPlace: Error {}

private func value(at path: ArraySlice<Step>, in whole: JSONValue) throws -> JSONValue {
  try path.reduce(whole) { part, step in
    switch step {
    case .key(let key): try part[key] ?? { throw NoSuchPlace() }()
    case .index(let index): try part[index] ?? { throw NoSuchPlace() }()
    }
  }
}

private func replacing(_ value: JSONValue, _ path: ArraySlice<Step>, with new: JSONValue) throws -> JSONValue
{
  guard let step = path.first else { return new }
  switch (step, value) {
  case (.key(let key), .object(var object)):
    guard let old = object[key] else { throw NoSuchPlace() }
    object[key] = try replacing(old, path.dropFirst(), with: new)
    return .object(object)
  case (.index(let index), .array(var array)):
    array[index] = try replacing(array[index], path.dropFirst(), with: new)
    return .array(array)
  default:
    throw NoSuchPlace()
  }
}
