extension FakeCloud {
  /// Says where the consent page may send answers about a package: the `redirectUris` of its deployment.
  ///
  /// An address is compared as text, but for the port of one that begins with `http://127.0.0.1`.
  public func setRedirectUris(_ addresses: [String], of package: String) {
    store.withState { $0.redirectUriLists[package] = addresses }
  }
}
