#if canImport(CCurl)
  import Foundation

  /// A request as libcurl takes it, checked and with its file open.
  struct CurlRequest: Sendable {
    let method: HTTPMethod
    let address: String
    /// Scheme, host and port: what has its connections in common.
    let origin: String
    let host: String
    /// What is sent after the head. Some methods say that there is nothing, others say nothing of it.
    let upload: Upload?
    /// Header fields as libcurl wants them.
    let lines: [String]
    /// Seconds in which there should be a connection, where any such limit is given.
    let connectLimit: TimeInterval

    init(_ request: HTTPRequest) throws(TransportError) {
      try request.checkRules()
      method = request.method
      host = request.url.host ?? ""
      let scheme = request.url.scheme?.lowercased() ?? ""
      origin = "\(scheme)://\(host.lowercased()):\(request.url.port ?? (scheme == "https" ? 443 : 80))"
      address = try Self.address(of: request.url)
      upload = try Self.upload(of: request)
      lines = Self.lines(of: request)
      connectLimit = request.connectTimeout ?? request.timeout ?? .infinity
    }

    /// The address without a name and password: libcurl would send them unasked.
    private static func address(of url: URL) throws(TransportError) -> String {
      guard url.user != nil || url.password != nil else { return url.absoluteString }
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
      parts?.user = nil
      parts?.password = nil
      guard let address = parts?.string else { throw .refusal("the address cannot be read") }
      return address
    }

    private static func upload(of request: HTTPRequest) throws(TransportError) -> Upload? {
      switch request.body {
      case .data(let data): return .data(data)
      case .file(let url): return .file(try UploadFile(url))
      // A server may wait for the length of what these methods usually bring.
      case nil: return [.post, .put, .patch].contains(request.method) ? .data(Data()) : nil
      }
    }

    private static func lines(of request: HTTPRequest) -> [String] {
      // The transport alone knows how long the body is.
      var headers = request.headers
      headers["content-length"] = nil
      headers["transfer-encoding"] = nil
      // libcurl would send the request once more without it when the server does not like it, which is not done here.
      headers["expect"] = nil
      // libcurl leaves out a field that ends with its colon, and sends one without a value for a semicolon.
      var lines = headers.map { name, value in
        value.allSatisfy({ $0 == " " || $0 == "\t" }) ? "\(name);" : "\(name): \(value)"
      }
      // It would wait for a second before it sends a large body.
      lines.append("Expect:")
      return lines
    }
  }

  /// The bytes of a request.
  enum Upload: Sendable {
    case data(Data)
    case file(UploadFile)

    var count: Int {
      switch self {
      case .data(let data): data.count
      case .file(let file): file.count
      }
    }

    /// Copies the bytes from `offset` on into `buffer`. None when there are no more or they cannot be read.
    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let length = min(buffer.count, count - offset)
      guard length > 0 else { return 0 }
      switch self {
      case .data(let data):
        let start = data.startIndex + offset
        return data.copyBytes(to: buffer, from: start..<start + length)
      case .file(let file): return file.read(from: offset, into: buffer.baseAddress, length: length)
      }
    }
  }

  /// An open file, read in pieces and closed when nobody needs it.
  final class UploadFile: Sendable {
    let count: Int
    let name: String
    private let descriptor: Int32

    /// Opened before anything is sent, so that a file that may not be read is known by then.
    init(_ url: URL) throws(TransportError) {
      // Without blocking: a pipe in the file's place would wait for its other end.
      let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .unreadable(url) }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw .unreadable(url)
      }
      self.descriptor = descriptor
      count = Int(facts.st_size)
      name = url.lastPathComponent
    }

    deinit {
      close(descriptor)
    }

    func read(from offset: Int, into buffer: UnsafeMutableRawPointer?, length: Int) -> Int {
      while true {
        let got = pread(descriptor, buffer, length, off_t(offset))
        if got >= 0 { return got }
        guard errno == EINTR else { return 0 }
      }
    }
  }
#endif
