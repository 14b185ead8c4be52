import MeroHTTP

/// Whether a request that a page makes comes from that page: browsers say where a request comes from, and another site's
/// must not act for whoever sits before the browser.
enum PageSender {
  /// - Parameter page: an address of the page's origin.
  static func isElsewhere(_ headers: HTTPHeaders, than page: String) -> Bool {
    if let origin = headers["origin"], LoginDestination(origin) != LoginDestination(page) { return true }
    if let site = headers["sec-fetch-site"], site != "same-origin" { return true }
    return false
  }
}
