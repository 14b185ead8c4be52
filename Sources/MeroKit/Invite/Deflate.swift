import Foundation

#if canImport(CZlib)
  import CZlib

  /// DEFLATE without a header (RFC 1951), by the system's zlib.
  enum Deflate {
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
      var stream = z_stream()
      let begun = merokit_deflate_init(&stream)
      precondition(begun == Z_OK, "zlib has no memory for a compressor")
      defer { deflateEnd(&stream) }
      var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
      let count = run(&stream, bytes, &output) { deflate($0, Z_FINISH) == Z_STREAM_END }
      // The bound is the library's own promise.
      precondition(count != nil, "zlib wrote more than it said it would")
      return Array(output.prefix(count ?? 0))
    }

    /// What was compressed; nil for anything that is not a whole stream, and for what is longer than `limit`.
    static func expand(_ bytes: [UInt8], upTo limit: Int) -> [UInt8]? {
      guard !bytes.isEmpty else { return nil }
      var stream = z_stream()
      guard merokit_inflate_init(&stream) == Z_OK else { return nil }
      defer { inflateEnd(&stream) }
      var output = [UInt8](repeating: 0, count: limit + 1)
      guard let count = run(&stream, bytes, &output, { inflate($0, Z_FINISH) == Z_STREAM_END }),
        count <= limit
      else { return nil }
      return Array(output.prefix(count))
    }

    private static func run(
      _ stream: inout z_stream, _ input: [UInt8], _ output: inout [UInt8],
      _ step: (UnsafeMutablePointer<z_stream>) -> Bool
    ) -> Int? {
      var input = input
      return input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
          stream.next_in = source.baseAddress
          stream.avail_in = uInt(source.count)
          stream.next_out = target.baseAddress
          stream.avail_out = uInt(target.count)
          return step(&stream) ? target.count - Int(stream.avail_out) : nil
        }
      }
    }
  }
#elseif canImport(Compression)
  import Compression

  /// DEFLATE without a header (RFC 1951), which the system's framework calls `ZLIB`.
  enum Deflate {
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
      // Bytes that do not compress are stored in blocks, with a few bytes each.
      var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 64 + 128)
      let count = compression_encode_buffer(
        &output, output.count, bytes, bytes.count, nil, COMPRESSION_ZLIB)
      return Array(output.prefix(count))
    }

    /// What was compressed; nil for anything that is not a stream, and for what is longer than `limit`.
    static func expand(_ bytes: [UInt8], upTo limit: Int) -> [UInt8]? {
      guard !bytes.isEmpty else { return nil }
      var output = [UInt8](repeating: 0, count: limit + 1)
      let count = compression_decode_buffer(
        &output, output.count, bytes, bytes.count, nil, COMPRESSION_ZLIB)
      return count == 0 || count > limit ? nil : Array(output.prefix(count))
    }
  }
#endif
