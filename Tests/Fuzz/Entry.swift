import Foundation

// libFuzzer has the main function; it asks the first of these once and the second for every input.
//
//   Fuzz --list                           the targets, each with its dictionary
//   Fuzz --seeds FOLDER [SHARED] TARGET   writes what a target begins with
//   Fuzz [FLAGS AND FOLDERS OF LIBFUZZER] -ignore_remaining_args=1 TARGET

private let target = FuzzTarget.all.first { $0.name == CommandLine.arguments.last }

/// No reader may take 50 ms in a release build. A check reads several times over, in code that is five times as slow.
private let longestTime: TimeInterval = 0.5

/// Answers `--list` and `--seeds`, and refuses to start without a target.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer) -> CInt {
  let arguments = CommandLine.arguments
  if arguments.dropFirst().first == "--list" {
    for target in FuzzTarget.all { print(target.name, target.dictionary ?? "-") }
    exit(0)
  }
  guard let target else {
    print("the last argument must be the name of a target")
    exit(2)
  }
  if arguments[1] == "--seeds" {
    do {
      let shared = arguments.count > 4 ? try SharedSeeds(arguments[3]).inputs(for: target.name) : []
      try write(try target.seeds() + shared, to: arguments[2])
      exit(0)
    } catch {
      print("the seeds of \(target.name) cannot be made: \(error)")
      exit(2)
    }
  }
  return 0
}

/// Checks one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let start = processorTime()
  do {
    try target?.check(input)
  } catch {
    fatalError("an error escaped: \(error)")
  }
  let time = processorTime() - start
  hold(time < longestTime, "\(count) bytes took \(time) s")
  return 0
}

/// What this thread has used of a processor; what else runs on the machine does not count.
private func processorTime() -> TimeInterval {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) * 1e-9
}

/// Large inputs go into a folder of their own: they are to be tried once, and would only slow down what changes inputs.
private func write(_ seeds: [[UInt8]], to folder: String) throws {
  for size in ["small", "large"] {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(size)", withIntermediateDirectories: true)
  }
  for (number, seed) in seeds.enumerated() {
    let size = seed.count <= 24 * 1024 ? "small" : "large"
    try Data(seed.prefix(FuzzTarget.largestInput))
      .write(to: URL(fileURLWithPath: "\(folder)/\(size)/\(number)"))
  }
}
