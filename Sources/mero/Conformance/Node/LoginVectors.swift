import MeroKit
import MeroWire

extension NodeGroup {
  /// What an app of each mode asks for.
  static let permissions = NodeGroup(name: "permissionsForMode") { file, run in
    await run.check("permissionsForMode") {
      let modes = try file.object("permissionsForMode")
      try require("the section", try modes.text("spec"), is: "2")
      for mode in ["single-context", "multi-context", "admin"] {
        let expected = try modes.texts(mode)
        try require("the permissions of \(mode)", SsoLogin.permissionsForMode(mode), is: expected)
        let options = AuthLoginOptions(callbackUrl: "notes://auth", mode: mode)
        try require("what a login of \(mode) asks for", options.permissions, is: expected)
      }
      try modes.finish()
    }
  }

  /// The addresses of login pages.
  static let loginAddresses = NodeGroup(name: "loginUrl") { file, run in
    let names = ["login-multi", "login-full", "login-no-package"]
    await NodeCases(["2": names]).check("loginUrl", in: file, &run) { name, object in
      let input = try object.object("input")
      let package = try input.textOrNull("packageName")
      let (version, registry) = (try input.textOrNull("packageVersion"), try input.textOrNull("registryUrl"))
      if package == nil {
        // They leave no trace in the address, and would not be missed.
        try require("the version without a package", version, is: "1.0.0")
        try require("the registry without a package", registry, is: "https://r.example")
      }
      let options = AuthLoginOptions(
        callbackUrl: try input.text("callbackUrl"), mode: try input.text("mode"), packageName: package,
        permissions: try input.texts("permissions"), registryUrl: registry, packageVersion: version)
      let address = Mero.buildAuthLoginUrl(nodeUrl: try input.text("nodeUrl"), options: options)
      try input.finish()
      try require("the address", address, is: try object.text("expect"))
    }
  }
}
