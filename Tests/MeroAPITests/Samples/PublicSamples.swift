import MeroAPI

extension OperationSample {
  static func publicApi(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(Operations.PublicHealth.Input(), Operations.PublicHealth.Output.self),
      OperationSample(
        Operations.PublicAttest.Input(body: .json(try document.payload("public_attest"))),
        Operations.PublicAttest.Output.self),
      OperationSample(Operations.PublicInfo.Input(), Operations.PublicInfo.Output.self),
      OperationSample(Operations.PublicNodeList.Input(), Operations.PublicNodeList.Output.self),
      OperationSample(
        Operations.PublicInvitePreview.Input(body: .json(try document.payload("public_invite_preview"))),
        Operations.PublicInvitePreview.Output.self),
    ]
  }
}
