#if canImport(CCurl)
  import CCurl

  extension FailureCause {
    /// What a code of libcurl's means.
    ///
    /// - Parameter wasSent: whether libcurl has begun to send the request. After that no code proves anything: a
    ///   connection that is refused may be the second one.
    init(_ code: CURLcode, wasSent: Bool) {
      if wasSent {
        self = code == CURLE_OPERATION_TIMEDOUT ? .timedOut : .lost
        return
      }
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unknownHost
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT: self = .notSendable
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
        CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
        self = .tls
      default: self = .refused
      }
    }

    /// Whether the code alone proves that the request was not sent, for libraries that do not say when they send.
    static func provesNothingSent(_ code: CURLcode) -> Bool {
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
        CURLE_URL_MALFORMAT,
        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION:
        true
      default: false
      }
    }
  }
#endif
