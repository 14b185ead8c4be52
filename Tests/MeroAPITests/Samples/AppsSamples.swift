import MeroAPI

extension OperationSample {
  static func apps(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(
        Operations.AppList.Input(
          query: .init(org: text("org"), package: text("package"), cursor: text("cursor"), limit: 7)),
        Operations.AppList.Output.self),
      OperationSample(
        Operations.AppCreate.Input(body: .json(try document.payload("app_create"))),
        Operations.AppCreate.Output.self),
      OperationSample(Operations.AppGet.Input(path: .init(app: text("app"))), Operations.AppGet.Output.self),
      OperationSample(
        Operations.AppUpdate.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_update"))),
        Operations.AppUpdate.Output.self),
      OperationSample(
        Operations.AppDelete.Input(
          path: .init(app: text("app")), headers: .init(confirm: text("x-calimero-confirm"))),
        Operations.AppDelete.Output.self),
      OperationSample(
        Operations.AppCall.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_call"))),
        Operations.AppCall.Output.self),
      OperationSample(
        Operations.AppView.Input(
          path: .init(app: text("app")), headers: .init(minSeq: 7),
          body: .json(try document.payload("app_view"))), Operations.AppView.Output.self),
      OperationSample(
        Operations.AppUpgrade.Input(
          path: .init(app: text("app")), headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("app_upgrade"))), Operations.AppUpgrade.Output.self),
      OperationSample(
        Operations.AppAbiGet.Input(path: .init(app: text("app"))), Operations.AppAbiGet.Output.self),
      OperationSample(
        Operations.AppEventList.Input(
          path: .init(app: text("app")),
          query: .init(cursor: text("cursor"), kinds: text("kinds"), waitMs: 7, limit: 7)),
        Operations.AppEventList.Output.self),
      OperationSample(
        Operations.AppEventStream.Input(
          path: .init(app: text("app")),
          query: .init(cursor: text("cursor"), kinds: text("kinds"), presence: true))),
      OperationSample(
        Operations.AppPresenceList.Input(path: .init(app: text("app"))),
        Operations.AppPresenceList.Output.self),
      OperationSample(
        Operations.AppPresenceSet.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_presence_set"))),
        Operations.AppPresenceSet.Output.self),
      OperationSample(
        Operations.AppMemberList.Input(
          path: .init(app: text("app")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.AppMemberList.Output.self),
      OperationSample(
        Operations.AppMemberSet.Input(
          path: .init(app: text("app"), principal: text("principal")),
          body: .json(try document.payload("app_member_set"))), Operations.AppMemberSet.Output.self),
      OperationSample(
        Operations.AppMemberRemove.Input(path: .init(app: text("app"), principal: text("principal"))),
        Operations.AppMemberRemove.Output.self),
      OperationSample(
        Operations.AppBlobList.Input(
          path: .init(app: text("app")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.AppBlobList.Output.self),
      OperationSample(
        Operations.AppBlobPut.Input(
          path: .init(app: text("app")), query: .init(name: text("name"), sha256: text("sha256")),
          body: .binary(bytes, contentType: "image/png")), Operations.AppBlobPut.Output.self),
      OperationSample(
        Operations.AppBlobGet.Input(
          path: .init(app: text("app"), blob: text("blob")), headers: .init(range: text("Range"))),
        Operations.AppBlobGet.Output.self),
      OperationSample(
        Operations.AppBlobDelete.Input(path: .init(app: text("app"), blob: text("blob"))),
        Operations.AppBlobDelete.Output.self),
      OperationSample(
        Operations.AppUploadBegin.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_upload_begin"))),
        Operations.AppUploadBegin.Output.self),
      OperationSample(
        Operations.AppUploadPart.Input(
          path: .init(app: text("app"), upload: text("upload"), index: 7),
          body: .binary(bytes, contentType: "image/png")), Operations.AppUploadPart.Output.self),
      OperationSample(
        Operations.AppUploadFinish.Input(path: .init(app: text("app"), upload: text("upload"))),
        Operations.AppUploadFinish.Output.self),
      OperationSample(
        Operations.AppSearch.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_search"))),
        Operations.AppSearch.Output.self),
      OperationSample(
        Operations.AppJobCreate.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_job_create"))),
        Operations.AppJobCreate.Output.self),
      OperationSample(
        Operations.AppJobGet.Input(path: .init(app: text("app"), job: text("job"))),
        Operations.AppJobGet.Output.self),
      OperationSample(
        Operations.AppJobCancel.Input(path: .init(app: text("app"), job: text("job"))),
        Operations.AppJobCancel.Output.self),
      OperationSample(
        Operations.AppTimerList.Input(
          path: .init(app: text("app")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.AppTimerList.Output.self),
      OperationSample(
        Operations.AppTimerCreate.Input(
          path: .init(app: text("app")), body: .json(try document.payload("app_timer_create"))),
        Operations.AppTimerCreate.Output.self),
      OperationSample(
        Operations.AppTimerDelete.Input(path: .init(app: text("app"), timer: text("timer"))),
        Operations.AppTimerDelete.Output.self),
    ]
  }
}
