import MeroAPI

extension OperationSample {
  static func packages(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(
        Operations.PackageList.Input(query: .init(query: text("query"), cursor: text("cursor"), limit: 7)),
        Operations.PackageList.Output.self),
      OperationSample(
        Operations.PackageGet.Input(path: .init(package: text("package"))), Operations.PackageGet.Output.self),
      OperationSample(
        Operations.PackageVersionList.Input(
          path: .init(package: text("package")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.PackageVersionList.Output.self),
      OperationSample(
        Operations.PackagePublish.Input(
          path: .init(package: text("package")), query: .init(org: text("org")),
          body: .binary(bytes, contentType: "image/png")), Operations.PackagePublish.Output.self),
      OperationSample(
        Operations.PackageYank.Input(
          path: .init(package: text("package"), version: text("version")),
          headers: .init(confirm: text("x-calimero-confirm"))), Operations.PackageYank.Output.self),
    ]
  }
}
