import Testing

@testable import mero

@Suite("The tool's arguments")
struct ArgumentsTests {
  @Test("flags, values in both spellings and the rest are told apart")
  func parts() throws {
    let arguments = try Arguments(
      ["one", "--json", "--port", "80", "--name=a=b", "--", "--not-an-option"], flags: ["--json"],
      values: ["--port", "--name"])
    #expect(arguments.positional == ["one", "--not-an-option"])
    #expect(arguments.has("--json"))
    #expect(try arguments.port("--port", default: 1) == 80)
    #expect(arguments.value("--name") == "a=b")
  }

  @Test(
    "an unknown option, a value that is missing and a flag with a value are refused",
    arguments: [["--nope"], ["--port"], ["--json=1"], ["-x"]])
  func refused(_ words: [String]) {
    #expect(throws: UsageError.self) { try Arguments(words, flags: ["--json"], values: ["--port"]) }
  }

  @Test("a port outside 0 to 65535 is refused", arguments: ["-1", "65536", "http", ""])
  func ports(_ text: String) throws {
    let arguments = try Arguments(["--port", text], values: ["--port"])
    #expect(throws: UsageError.self) { try arguments.port("--port", default: 2501) }
  }

  @Test("help, the version, an unknown subcommand and bad options have the exit codes that scripts rely on")
  func exitCodes() async {
    #expect(await Command.run(["--help"]) == ExitCode.success)
    #expect(await Command.run(["--version"]) == ExitCode.success)
    #expect(await Command.run([]) == ExitCode.usage)
    #expect(await Command.run(["nope"]) == ExitCode.usage)
    for command in Command.all { #expect(await Command.run([command.name, "--help"]) == ExitCode.success) }
    #expect(await Command.run(["local", "--nodes", "0"]) == ExitCode.usage)
    #expect(await Command.run(["bench", "--only", "nope"]) == ExitCode.usage)
  }
}
