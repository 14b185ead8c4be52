#if canImport(CCurl)
  import CCurl
  import Testing

  @testable import MeroHTTP

  @Suite("The head of an answer, line by line")
  struct CurlHeadTests {
    private func steps(_ lines: [String]) -> [CurlHead.Step] {
      var head = CurlHead()
      return lines.map { line in Array(line.utf8).withUnsafeBytes { head.take($0) } }
    }

    @Test("a status line, fields and an empty line are a head")
    func plain() {
      let last = steps(["HTTP/1.1 404 Not Found\r\n", "A: 1\r\n", "b:2\r\n", "C: \r\n", "a: x:y\r\n", "\r\n"])
        .last
      #expect(last == .head(status: 404, HTTPHeaders([("a", "1"), ("b", "2"), ("c", ""), ("a", "x:y")])))
    }

    @Test("a status line needs no reason, and lines may end without a carriage return")
    func bare() {
      #expect(steps(["HTTP/1.1 200\n", "\n"]).last == .head(status: 200, HTTPHeaders()))
    }

    @Test("a line is read in bytes: accents, other line breaks and blanks at the ends change nothing of it")
    func bytes() {
      #expect(
        steps([
          "HTTP/1.1 200 OK\r\n", "A:\u{301}b\r\n", "\u{0B}\r\n", "C: x\u{2028}y \t\r\n", "D: \t \r\n", "\r\n",
        ]).last
          == .head(status: 200, HTTPHeaders([("a", "\u{301}b"), ("c", "x\u{2028}y"), ("d", "")])))
    }

    @Test("a field that goes on in the next line is one field")
    func folded() {
      #expect(
        steps(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\t 2\r\n", "\r\n"]).last
          == .head(status: 200, HTTPHeaders([("a", "1 2")])))
    }

    @Test("what comes after the head is not part of it, and there is no second head")
    func trailers() {
      #expect(
        steps(["HTTP/1.1 200 OK\r\n", "\r\n", "A: 1\r\n", "\r\n", "HTTP/1.1 500 X\r\n", "\r\n"]).dropFirst(2)
          == [.more, .more, .more, .more])
    }

    @Test("heads on the way leave nothing behind; 101 is the last one of its connection")
    func interim() {
      let lines = ["HTTP/1.1 100 Continue\r\n", "A: 1\r\n", "\r\n", "HTTP/1.1 101 X\r\n", "B: 2\r\n", "\r\n"]
      #expect(steps(lines).last == .head(status: 101, HTTPHeaders([("b", "2")])))
    }

    @Test(
      "what is not HTTP is not taken", arguments: ["\r\n", "SSH-2.0\r\n", "HTTP/1.1\r\n", "HTTP/1.1 OK\r\n"])
    func notHTTP(line: String) {
      #expect(steps([line]) == [.notHTTP])
    }

    @Test("more than a quarter of a megabyte is too large, in one head or in many")
    func tooLarge() {
      let field = "X: " + String(repeating: "x", count: 1_000) + "\r\n"
      #expect(steps(["HTTP/1.1 200 OK\r\n"] + Array(repeating: field, count: 300)).last == .tooLarge)
      let interim = ["HTTP/1.1 103 Hints\r\n", field, "\r\n"]
      #expect(steps((0..<300).flatMap { _ in interim }).last == .tooLarge)
    }

    @Test(
      "once a request is being sent no code says that it was not; before, each does",
      arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, FailureCause.unknownHost), (CURLE_COULDNT_CONNECT, .refused),
        (CURLE_PEER_FAILED_VERIFICATION, .tls), (CURLE_SSL_CONNECT_ERROR, .tls),
        (CURLE_URL_MALFORMAT, .notSendable),
        (CURLE_OPERATION_TIMEDOUT, .refused), (CURLE_RECV_ERROR, .refused),
      ])
    func codes(code: CURLcode, before: FailureCause) {
      let early = FailureCause(code, wasSent: false)
      #expect(early == before)
      #expect(!early.mayHaveBeenSent)
      let late = FailureCause(code, wasSent: true)
      #expect(late == (code == CURLE_OPERATION_TIMEDOUT ? .timedOut : .lost))
      #expect(late.mayHaveBeenSent)
    }
  }
#endif
