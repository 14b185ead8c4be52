import MeroAPI

extension OperationSample {
  static func auth(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(
        Operations.AuthSignupBegin.Input(body: .json(try document.payload("auth_signup_begin"))),
        Operations.AuthSignupBegin.Output.self),
      OperationSample(
        Operations.AuthSignupFinish.Input(body: .json(try document.payload("auth_signup_finish"))),
        Operations.AuthSignupFinish.Output.self),
      OperationSample(
        Operations.AuthSigninBegin.Input(body: .json(try document.payload("auth_signin_begin"))),
        Operations.AuthSigninBegin.Output.self),
      OperationSample(
        Operations.AuthSigninFinish.Input(body: .json(try document.payload("auth_signin_finish"))),
        Operations.AuthSigninFinish.Output.self),
      OperationSample(
        Operations.AuthRefresh.Input(body: .json(try document.payload("auth_refresh"))),
        Operations.AuthRefresh.Output.self),
      OperationSample(Operations.AuthSignout.Input(), Operations.AuthSignout.Output.self),
      OperationSample(Operations.AuthSessionGet.Input(), Operations.AuthSessionGet.Output.self),
      OperationSample(
        Operations.AuthSessionList.Input(query: .init(cursor: text("cursor"), limit: 7)),
        Operations.AuthSessionList.Output.self),
      OperationSample(
        Operations.AuthSessionRevoke.Input(path: .init(session: text("session"))),
        Operations.AuthSessionRevoke.Output.self),
      OperationSample(Operations.AuthPasskeyList.Input(), Operations.AuthPasskeyList.Output.self),
      OperationSample(
        Operations.AuthPasskeyBegin.Input(
          headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("auth_passkey_begin"))), Operations.AuthPasskeyBegin.Output.self),
      OperationSample(
        Operations.AuthPasskeyFinish.Input(body: .json(try document.payload("auth_passkey_finish"))),
        Operations.AuthPasskeyFinish.Output.self),
      OperationSample(
        Operations.AuthPasskeyRemove.Input(
          path: .init(passkey: text("passkey")), headers: .init(confirm: text("x-calimero-confirm"))),
        Operations.AuthPasskeyRemove.Output.self),
      OperationSample(
        Operations.AuthKeyList.Input(query: .init(cursor: text("cursor"), limit: 7)),
        Operations.AuthKeyList.Output.self),
      OperationSample(
        Operations.AuthKeyCreate.Input(
          headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("auth_key_create"))), Operations.AuthKeyCreate.Output.self),
      OperationSample(
        Operations.AuthKeyRevoke.Input(path: .init(key: text("key"))), Operations.AuthKeyRevoke.Output.self),
    ]
  }
}
