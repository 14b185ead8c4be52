import MeroAPI

extension OperationSample {
  static func deployments(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(
        Operations.SignupCreate.Input(body: .json(try document.payload("signup_create"))),
        Operations.SignupCreate.Output.self),
      OperationSample(
        Operations.SignupGet.Input(path: .init(signup: text("signup"))), Operations.SignupGet.Output.self),
      OperationSample(
        Operations.DeployerList.Input(query: .init(cursor: text("cursor"), limit: 7)),
        Operations.DeployerList.Output.self),
      OperationSample(
        Operations.DeployerRemove.Input(
          path: .init(deployer: text("deployer")),
          headers: .init(operatorSignature: text("x-calimero-operator-signature"))),
        Operations.DeployerRemove.Output.self),
      OperationSample(
        Operations.DeploymentList.Input(query: .init(org: text("org"), cursor: text("cursor"), limit: 7)),
        Operations.DeploymentList.Output.self),
      OperationSample(
        Operations.DeploymentCreate.Input(
          headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("deployment_create"))), Operations.DeploymentCreate.Output.self),
      OperationSample(
        Operations.DeploymentGet.Input(path: .init(deployment: text("deployment"))),
        Operations.DeploymentGet.Output.self),
      OperationSample(
        Operations.DeploymentUpdate.Input(
          path: .init(deployment: text("deployment")), headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("deployment_update"))), Operations.DeploymentUpdate.Output.self),
      OperationSample(
        Operations.DeploymentDelete.Input(
          path: .init(deployment: text("deployment")), headers: .init(confirm: text("x-calimero-confirm"))),
        Operations.DeploymentDelete.Output.self),
    ]
  }
}
