import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers 201 and as many bytes as the path says, in pieces of 64 KiB, without a network.
///
/// Each start answers in full, so a transport that stops and starts it sees more than it should.
final class StubProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "stub.test" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url, let count = Int(url.lastPathComponent), let client else { return }
    let body = String(decoding: request.httpBody ?? Self.read(request.httpBodyStream), as: UTF8.self)
    let response = HTTPURLResponse(
      url: url, statusCode: 201, httpVersion: "HTTP/1.1",
      headerFields: ["X-Stub": "\(request.httpMethod ?? "") \(body)"])
    guard let response else { return }
    client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    var left = count
    while left > 0 {
      let piece = min(left, 64 << 10)
      client.urlProtocol(self, didLoad: Data(count: piece))
      left -= piece
    }
    client.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}

  /// Apple hands a stub the body as a stream.
  private static func read(_ stream: InputStream?) -> Data {
    guard let stream else { return Data() }
    stream.open()
    defer { stream.close() }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = stream.read(&bytes, maxLength: bytes.count)
    return Data(bytes.prefix(max(0, count)))
  }
}
