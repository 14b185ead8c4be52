extension FakeCloud {
  /// Says where the consent page may send answers about a package: the `redirectUris` of its deployment.
  ///
  /// An address is compared as text, but for the port of one that begins with `http://127.0.0.1`.
  public func setRedirectUris(_ addresses: [String], of package: String) {
    store.withState { $0.redirectUriLists[package] = addresses }
  }

  /// Adds an address to those of every built-in package. False when no answer may go there, whoever lists it.
  package func allowConsentCallback(_ address: String) -> Bool {
    guard LoginDestination(address) != nil else { return false }
    store.withState { state in
      for package in FakePackage.builtIn { state.redirectUriLists[package.name, default: []].append(address) }
    }
    return true
  }
}
