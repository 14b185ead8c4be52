import MeroHTTP

/// What an invitation's link shows in a browser. The code is behind the `#`, which browsers keep to themselves.
enum InvitePage {
  static var page: HTTPResponse {
    PageFrame.page(
      200, title: "An invitation",
      """
      <h1>An invitation to an organization</h1>
      <p>Its code is the part of this page's address behind the <code>#</code>. Paste the address where your app asks for
      an invitation, or into the command line:</p>
      <p><code>mero orgs join -</code></p>
      """)
  }
}
