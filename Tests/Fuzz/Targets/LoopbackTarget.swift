@testable import MeroKit

extension FuzzTarget {
  /// A browser's request. The first byte says how the rest is cut.
  static let browserRequest = FuzzTarget(name: "browser-request", dictionary: "http") {
    [
      "\u{03}GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
      "\u{01}POST /a HTTP/1.1\r\nHost: t\r\nOrigin: http://t\r\nContent-Length: 3\r\n\r\n#a=",
      "\u{09}POST / HTTP/1.0\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "\u{40}GET / HTTP/1.1\r\nHost: t\r\nX: " + String(repeating: "x", count: 60_000),
      "\u{40}POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 60000\r\n\r\n"
        + String(repeating: "x", count: 60_000),
      "\u{40}GET / HTTP/1.1\r\n" + String(repeating: "a:b\r\n", count: 3_000) + "\r\n",
    ].map { Array($0.utf8) }
  } check: { bytes in
    let limits = LoopbackRequestReader.Limits(head: 1 << 10, body: 1 << 10, fields: 20)
    var whole = LoopbackRequestReader(limits: limits)
    whole.feed(Array(bytes.dropFirst()))
    var cut = LoopbackRequestReader(limits: limits)
    let size = max(1, Int(bytes.first ?? 1))
    var rest = bytes.dropFirst()
    while !rest.isEmpty {
      cut.feed(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    hold(whole.step == cut.step, "pieces make no difference")
    switch whole.step {
    case .more: hold(bytes.count <= limits.head + limits.body + 1, "a request ends")
    case .refused(let status, _): hold((400..<600).contains(status), "a refusal has a status of one")
    case .request(let request):
      hold(request.body.count <= limits.body && request.headers.count <= limits.fields, "limits hold")
      hold(
        request.path.utf8.first == 0x2F && request.path.utf8.allSatisfy { (0x21...0x7E).contains($0) },
        "a path")
      hold(request.headers.values(of: "host").count == 1, "one host is named")
      _ = LoopbackPage(path: "/a").reaction(to: request)
    }
  }
}
