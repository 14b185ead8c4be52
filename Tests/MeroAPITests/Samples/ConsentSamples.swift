import MeroAPI

extension OperationSample {
  static func consent(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(
        Operations.ConsentRequestCreate.Input(body: .json(try document.payload("consent_request_create"))),
        Operations.ConsentRequestCreate.Output.self),
      OperationSample(
        Operations.ConsentRequestGet.Input(path: .init(request: text("request"))),
        Operations.ConsentRequestGet.Output.self),
      OperationSample(
        Operations.ConsentApprove.Input(
          path: .init(request: text("request")), headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("consent_approve"))), Operations.ConsentApprove.Output.self),
      OperationSample(
        Operations.ConsentDeny.Input(path: .init(request: text("request"))),
        Operations.ConsentDeny.Output.self),
      OperationSample(
        Operations.ConsentToken.Input(body: .json(try document.payload("consent_token"))),
        Operations.ConsentToken.Output.self),
      OperationSample(
        Operations.ConsentGrantList.Input(query: .init(cursor: text("cursor"), limit: 7)),
        Operations.ConsentGrantList.Output.self),
      OperationSample(
        Operations.ConsentGrantRevoke.Input(path: .init(grant: text("grant"))),
        Operations.ConsentGrantRevoke.Output.self),
    ]
  }
}
