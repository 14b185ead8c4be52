import Foundation
import MeroWire

/// Which images a ``DcapVerifier`` accepts (50 §4).
///
/// On some clouds the first register measures firmware that all images share, and the image is in the run-time
/// registers; and registers of two images must never combine. So an image is always all of its registers together.
public struct AcceptedImages: Sendable {
  enum Rule: Sendable {
    case images([Measurements])
    case registers([[[UInt8]]])
    case releases(any ReleaseTrust)
  }

  let rule: Rule

  /// Exactly these images, each with all five registers.
  ///
  /// - Throws: ``TrustError`` for an empty list, with which no quote would ever be accepted, and for a register that is
  ///   not 48 bytes.
  public static func images(_ images: [Measurements]) throws -> AcceptedImages {
    guard !images.isEmpty else { throw misconfigured("with no image listed no quote would ever be accepted") }
    guard images.allSatisfy({ $0.rtmr.count == 4 && ([$0.mrtd] + $0.rtmr).allSatisfy { $0.count == 48 } })
    else { throw misconfigured("an image needs all five registers, 48 bytes each") }
    return AcceptedImages(rule: .images(images))
  }

  /// Any combination of these values. Prefer ``images(_:)``: this cannot keep images apart that share registers.
  ///
  /// - Parameters: hex values of 96 characters, trimmed, in either case. `rtmr0` may be empty, which accepts any.
  /// - Throws: ``TrustError`` unless the first register and the run-time registers 1 to 3 are all listed: the first alone
  ///   names no image.
  public static func registers(
    mrtd: [String], rtmr0: [String] = [], rtmr1: [String], rtmr2: [String], rtmr3: [String]
  ) throws -> AcceptedImages {
    guard ![mrtd, rtmr1, rtmr2, rtmr3].contains([]) else {
      throw misconfigured("MRTD and RTMR1 to RTMR3 are all needed to name an image")
    }
    let lists = try [mrtd, rtmr0, rtmr1, rtmr2, rtmr3].map { try $0.map(Measurements.register) }
    return AcceptedImages(rule: .registers(lists))
  }

  /// The images of signed releases, with the statuses that the releases accept.
  public static func releases(_ releases: any ReleaseTrust) -> AcceptedImages {
    AcceptedImages(rule: .releases(releases))
  }

  static func misconfigured(_ text: String) -> TrustError { .refused(for: .configuration, text) }
}

extension Measurements {
  /// Measurements of five hex values of 96 characters, trimmed, in either case.
  ///
  /// - Throws: ``TrustError`` for any other text.
  public init(mrtd: String, rtmr0: String, rtmr1: String, rtmr2: String, rtmr3: String) throws {
    self.init(
      mrtd: try Self.register(mrtd), rtmr: try [rtmr0, rtmr1, rtmr2, rtmr3].map(Self.register))
  }

  static func register(_ text: String) throws -> [UInt8] {
    do {
      return try Hex.decode(text, count: 48, field: "a register")
    } catch {
      throw AcceptedImages.misconfigured(error.reason)
    }
  }
}
