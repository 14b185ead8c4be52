// Private keys show nothing of themselves when they, or what holds them, are printed or dumped.

extension P256.PrivateKey: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Ed25519.PrivateKey: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension X25519.PrivateKey: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}
