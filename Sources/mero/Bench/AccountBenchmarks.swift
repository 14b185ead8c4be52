import Foundation
import MeroCrypto
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroTrust
import MeroWire

extension Benchmark {
  static let warrants = Benchmark(
    name: "warrants", summary: "warrants signed and verified, beside bare signatures"
  ) {
    let account = try BenchAccount()
    let write = account.write
    let signed = try Warrants.signWarrant(write, keys: account.keys)
    let count = 2_000
    let signing = try Measuring.best(5) {
      for _ in 0..<count { _ = try Warrants.signWarrant(write, keys: account.keys) }
    }
    let verifying = try Measuring.best(5) {
      for _ in 0..<count { try account.verify(signed) }
    }
    let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: 7, count: 32))
    let digest = [UInt8](signed.preimage)
    let bare = try Measuring.best(5) {
      for _ in 0..<count { _ = try key.sign(digest) }
    }
    return [
      Figure(key: "signedPerSecond", value: Double(count) / signing, unit: "warrants/s"),
      Figure(key: "verifiedPerSecond", value: Double(count) / verifying, unit: "warrants/s"),
      Figure(key: "timesOfBareSignature", value: signing / bare, unit: "×"),
    ]
  }

  static let relayWrites = Benchmark(
    name: "relayWrites",
    summary:
      "a write by warrant, end to end at a relay in memory: described, signed, verified, run; sealed and not"
  ) {
    let plain = try await RelayWrites(url: "http://127.0.0.1:2540")
    let sealed = try await RelayWrites(url: "https://relay.example")
    let count = 150
    let open = try await Measuring.median(Measuring.times(count) { try await plain.write() })
    let closed = try await Measuring.median(Measuring.times(count) { try await sealed.write() })
    return [
      Figure(key: "milliseconds", value: open * 1000, unit: "ms"),
      Figure(key: "sealedMilliseconds", value: closed * 1000, unit: "ms"),
      Figure(key: "timesOfUnsealed", value: closed / open, unit: "×", aim: .atMost(2)),
    ]
  }

  static let borsh = Benchmark(
    name: "borsh", summary: "the binary format of what accounts sign, written and read"
  ) {
    let rows = (0..<20_000).map { number in
      (
        id: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32), text: "value \(number)",
        number: UInt64(number)
      )
    }
    var bytes: [UInt8] = []
    let writing = Measuring.best(5) {
      var writer = BorshWriter()
      writer.list(rows) { writer, row in
        writer.fixed(row.id)
        writer.string(row.text)
        writer.u64(row.number)
      }
      bytes = writer.bytes
    }
    var read = 0
    let reading = try Measuring.best(5) {
      var reader = BorshReader(bytes)
      let found = try reader.list { (reader) throws(WireError) in
        (try reader.fixed(32), try reader.string(), try reader.u64())
      }
      try reader.finish()
      read = found.count
    }
    guard read == rows.count else { throw BenchmarkError("\(read) rows of \(rows.count) were read") }
    let size = Double(bytes.count) / 1e6
    return [
      Figure(key: "writtenMegabytesPerSecond", value: size / writing, unit: "MB/s"),
      Figure(key: "readMegabytesPerSecond", value: size / reading, unit: "MB/s"),
    ]
  }
}

/// An account with a device, and something to sign.
private struct BenchAccount {
  let keys: DeviceKeys
  let account: String
  let credential: String
  private let verifier: Ed25519.PublicKey

  init() throws {
    keys = try DeviceKeys.generate()
    let wallet = FakeWallet()
    account = wallet.account
    credential = try wallet.certify(
      signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey
    ).credential
    verifier = try Ed25519.PublicKey(bytes: try Hex.decode(keys.signPublicKey))
  }

  var write: Warrants.Write {
    func id(_ digits: String) -> String { String(repeating: digits, count: 32) }
    return Warrants.Write(
      context: id("11"), releaseBytecodeId: id("44"), releaseVersion: "1.0.0", method: "set_value",
      arguments: ["key": "k", "value": "v"],
      terms: Warrants.Terms(
        authorAccount: account, executor: id("33"), executorKey: id("77"), nonce: 42, notAfter: 1_790_000_300)
    )
  }

  func verify(_ warrant: Warrants.Signed) throws {
    guard verifier.isValid([UInt8](warrant.signature), for: [UInt8](warrant.preimage)) else {
      throw BenchmarkError("a warrant does not verify")
    }
  }
}

/// An account that writes at a relay.
private struct RelayWrites {
  private let client: MeroTransportClient
  private let context: String

  init(url: String) async throws {
    let relay = FakeRelay(url: url)
    let bench = try BenchAccount()
    let namespace = relay.node.makeNamespace(of: .keyValue)
    context = relay.node.makeContext(of: .keyValue, in: namespace)
    relay.addMember(bench.account, to: namespace)
    let env = relay.environment()
    guard case .learned = await DelegatedAccounts.attemptRelayNodeKey(url, env: env),
      let client = try DelegatedAccounts.buildDelegatedClient(
        DelegatedSession(
          account: bench.account, credential: bench.credential, keys: bench.keys, relayUrl: url,
          executorAccount: relay.account), env: env)
    else { throw BenchmarkError("the relay did not prove its key") }
    self.client = client
    // What is known of a method and what opens a channel is not what is measured.
    try await write()
  }

  func write() async throws {
    let _: Empty = try await client.rpc.execute(
      contextId: context, method: "set_value", argsJson: ["key": "k", "value": "v"])
  }
}
