import Foundation

/// Why the network failed an exchange, whoever carried it.
enum FailureCause {
  case unknownHost, refused, noNetwork, notSendable, tls, timedOut, lost

  var kind: TransportError.Kind {
    switch self {
    case .unknownHost, .refused, .noNetwork, .notSendable: .cannotConnect
    case .tls: .tls
    case .timedOut: .timedOut
    case .lost: .lost
    }
  }

  var text: String {
    switch self {
    case .unknownHost: "the host is unknown"
    case .refused: "no connection can be made"
    case .noNetwork: "there is no network"
    case .notSendable: "the system does not send this request"
    case .tls: "no trusted connection came about"
    case .timedOut: "no answer in time"
    case .lost: "the connection ended early"
    }
  }

  var mayHaveBeenSent: Bool {
    switch self {
    case .unknownHost, .refused, .noNetwork, .notSendable, .tls: false
    case .timedOut, .lost: true
    }
  }
}

extension TransportError {
  /// `host` is named in the text; nothing else of the address is.
  init(_ cause: FailureCause, code: Int, host: String) {
    self.init(
      kind: cause.kind, text: "\(host): \(cause.text) (\(code))", mayHaveBeenSent: cause.mayHaveBeenSent)
  }
}
