import Foundation
import MeroKit
import MeroWire

/// Enrolling with a wallet, and nonces (30 §5.3, §7).
enum EnrolmentVectors {
  static let checks: [String: @Sendable (AccountCase) throws -> Void] = [
    "enrolment": enrolment, "nonceStore": nonceStore,
  ]

  private static let enrolment: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let signKey = try input.text("devicePublicKey")
    let kemKey = try input.text("kemPublicKey")
    switch try input.text("op") {
    case "url":
      let url = try DeviceEnrolment.url(
        walletURL: try input.optionalText("walletUrl") ?? DeviceEnrolment.defaultWalletURL,
        devicePublicKey: signKey, kemPublicKey: kemKey, callbackURL: try input.text("callbackUrl"),
        state: try input.optionalText("state") ?? "")
      try test.require("url", url.absoluteString)
    case "callback":
      let verdict = try answer(
        "myapp://enrol#" + (try input.text("fragment")), signKey, kemKey,
        try input.optionalText("expectState"))
      try test.require("verdict", verdict.name)
      guard let credential = verdict.credential else { return }
      try test.require("account", credential.account)
      try test.require("device", credential.device)
      try test.require("credential", credential.text)
    case let operation: throw Mismatch("nobody knows the operation \(operation)")
    }
  }

  private static func answer(
    _ url: String, _ signKey: String, _ kemKey: String, _ state: String?
  ) throws -> (name: String, credential: DeviceCredential?) {
    let callback: EnrolmentCallback
    do throws(AccountError) {
      guard let read = try DeviceEnrolment.read(fragmentOf: url) else { return ("none", nil) }
      callback = read
    } catch {
      guard case .enrolmentDeclined(let text) = error else { throw error }
      // The wallet's own refusals name their code.
      return (text.contains("refused") ? "refused" : "declined", nil)
    }
    do throws(EnrolmentFlaw) {
      let credential = try DeviceEnrolment.check(
        callback, signPublicKey: signKey, kemPublicKey: kemKey, state: state)
      return ("ok", credential)
    } catch {
      switch error {
      case .stateMismatch: return ("stateMismatch", nil)
      case .credential(let flaw): return (IdentityVectors.name(of: flaw), nil)
      case .other(.signingKey, _, _): return ("wrongDeviceKey", nil)
      case .other(.deliveryKey, _, _): return ("wrongKemKey", nil)
      case .other(.account, _, _): return ("accountMismatch", nil)
      case .other(.device, _, _): return ("deviceMismatch", nil)
      }
    }
  }

  private static let nonceStore: @Sendable (AccountCase) throws -> Void = { test in
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileWarrantNonceStore(folder: folder)
    let memory = MemoryWarrantNonceStore()
    let relay = "https://relay.example"
    var handedOut: [String] = []
    var wasStored = false
    guard let script = try test.input.value("script").arrayValue else { throw Mismatch("there is no script") }
    for step in script {
      let words = (step.arrayValue ?? []).compactMap(\.stringValue)
      switch (words.first, words.dropFirst().first) {
      case ("next"?, nil):
        let number = try store.next(relay: relay)
        handedOut.append(String(number))
        if !wasStored { try require("the number in memory", try memory.next(relay: relay), is: number) }
      case ("advance"?, let floor?):
        guard let floor = UInt64(floor) else { throw Mismatch("a floor is no number") }
        try store.advance(relay: relay, to: floor)
        memory.advance(relay: relay, to: floor)
      case ("stored"?, let text?):
        wasStored = true
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: store.path(of: relay)))
      default: throw Mismatch("nobody knows the step \(words)")
      }
    }
    try require("handedOut", handedOut, is: try test.expect.texts("handedOut"))
    let stored = try Data(contentsOf: URL(fileURLWithPath: store.path(of: relay)))
    try test.require("stored", String(decoding: stored, as: UTF8.self))
  }
}
