import MeroKit
import MeroWire

extension AccountInvocation {
  /// Tells who is signed in, after these words.
  func reportSession(_ words: String) async throws {
    let session = try await keptSession()
    var json: JSONObject = ["account": .string(session.account), "device": .string(session.device)]
    json["relay"] = session.relayUrl.map { .string($0) }
    json["note"] = session.note.map { .string($0) }
    report("\(words) \(session.account)  device \(session.device)  relay \(session.relayUrl ?? "-")", json)
    if let note = session.note { surroundings.tell(note.printable) }
    if session.isRelayless {
      surroundings.tell("mero account whoami --refresh asks the cloud for a relay again")
    }
  }

  /// The session, if it is on the disk with its keys. What could not be written lives in this process, and ends with it.
  @discardableResult
  func keptSession() async throws -> CloudSession {
    guard let session = await signIn.restoreSession(), (try? folder.session.load()) == session,
      (try? folder.keys.load()) != nil
    else { throw ToolError("the session could not be kept in \(folder.url.path)") }
    return session
  }

  /// Names the relays that had to be left out of a listing: what is missing there must not look like nothing.
  func checkCompleteness(_ session: DelegatedSession, relays answered: [String]) async -> Int32 {
    let known = DelegatedAccounts.knownRelays(session, store: env.store)
    if known.isEmpty { surroundings.tell("the account has no relay yet, and so is a member of nothing") }
    var isComplete = true
    for relay in known where !answered.contains(relay) {
      do { try await prove(relay, fresh: true) } catch {
        surroundings.tell("\(error)".printable)
        isComplete = false
      }
    }
    return isComplete ? ExitCode.success : ExitCode.failure
  }
}
