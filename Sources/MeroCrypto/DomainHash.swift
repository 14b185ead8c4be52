/// SHA-256 over the domain and the parts, each behind its length as a little-endian `u64` (30 §1).
///
/// The lengths keep different splits apart: `["ab", "c"]` and `["a", "bc"]` hash differently.
package func domainHash(_ domain: String, _ parts: [[UInt8]]) -> [UInt8] {
  var hasher = SHA256.Hasher()
  let domain = [UInt8](domain.utf8)
  for part in CollectionOfOne(domain) + parts {
    withUnsafeBytes(of: UInt64(part.count).littleEndian) { hasher.update($0) }
    hasher.update(part)
  }
  return hasher.finalize()
}
