extension FakeNode {
  /// Makes the node one that was never used: it has no user and no session, and the first login, with a password of 8 to
  /// 128 characters, makes its owner.
  ///
  /// It stands for the making of the owner when a real node is set up, so that whoever starts one for a try chooses the
  /// password.
  public func awaitOwner() { store.withState { $0.auth.awaitOwner() } }

  /// Lets the login page send people back there too: any address of a scheme (`notes://auth`), or of an origin
  /// (`https://app.example`).
  ///
  /// As on a real node, the page sends tokens to this machine and to the node's own origin only, unless told otherwise.
  ///
  /// - Returns: false for what is no such address, or can be none of an app (`javascript:`).
  @discardableResult
  public func allowLoginCallback(_ address: String) -> Bool {
    guard let destination = LoginDestination(address) else { return false }
    store.withState { _ = $0.loginDestinations.insert(destination) }
    return true
  }
}
