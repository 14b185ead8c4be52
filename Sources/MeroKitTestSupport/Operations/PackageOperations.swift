import MeroWire

// Packages as everyone sees them (70 §2.21).

extension ClusterState {
  static let packageHandlers: [String: Handler] = [
    "package_list": { state, _, x in try state.listPackages(x) },
    "package_get": { state, _, x in try state.getPackage(x) },
    "package_version_list": { state, _, x in try state.listVersions(x) },
  ]

  private func listPackages(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    let words = (x.query["query"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    // A key that sorts: how badly it matches, then the name.
    let found = deployed(at: x.now).compactMap { name -> (key: String, json: JSONValue)? in
      guard let json = describe(package: name), let rank = Self.rank(of: json, words) else { return nil }
      return ("\(rank) \(name)", json)
    }
    return try list("packages", found, x, for: caller, by: \.key) { $0.json }
  }

  /// The packages that new apps may run.
  private func deployed(at now: Int64) -> [String] {
    let live = deployments.values.filter { $0.state(at: now) == .live }.map(\.package)
    return live + packages.keys.filter { deployment(of: $0) == nil }
  }

  /// 0 when every word is in the name for people or the package's own, 1 when the summary is needed for that, `nil` when
  /// a word is nowhere.
  private static func rank(of package: JSONValue, _ words: [String]) -> Int? {
    func text(_ name: String) -> String { (package[name]?.stringValue ?? "").lowercased() }
    let names = "\(text("package")) \(text("name"))"
    if words.allSatisfy({ names.contains($0) }) { return 0 }
    let all = "\(names) \(text("summary"))"
    return words.allSatisfy { all.contains($0) } ? 1 : nil
  }

  private func getPackage(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let name = x.path["package"] ?? ""
    guard sees(name, caller, at: x.now), let json = describe(package: name) else {
      throw Refusal.notFound("package")
    }
    _ = try x.fields()
    return .answer(200, json)
  }

  private func listVersions(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let name = x.path["package"] ?? ""
    guard sees(name, caller, at: x.now) else { throw Refusal.notFound("package") }
    _ = try x.fields()
    return try list(
      "versions", knownVersions(of: name), x, for: caller, by: \.manifest.version, isBefore: Self.isNewer
    ) { $0.json }
  }

  private func describe(package name: String) -> JSONValue? {
    guard let latest = latestVersion(of: name) else { return nil }
    let record = published[name]
    var answer: JSONObject = [
      "package": .string(name), "name": .string(latest.manifest.name ?? name),
      "publisher": .string(record?.publisher ?? Self.clusterItself),
      "latest": .string(latest.manifest.version), "createdAt": JSONValue(record?.createdAt ?? startedAt),
    ]
    answer["summary"] = latest.manifest.summary.map { .string($0) }
    answer["icon"] = latest.manifest.icon.map { .string($0) }
    return .object(answer)
  }
}
