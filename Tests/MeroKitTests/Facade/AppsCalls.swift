import MeroKit

extension FacadeCall {
  static var apps: [FacadeCall] {
    [
      FacadeCall("app_list") {
        _ = try await $0.apps.list(
          org: "org", package: "package", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("app_create") {
        _ = try await $0.apps.create(
          name: "name", package: "package", org: "org", version: "version", initArgs: ["n": 1],
          orgAccess: .reader, idempotencyKey: "idempotencyKey", options: options)
      },
      FacadeCall("app_get") { _ = try await $0.apps.get(app: "app", options: options) },
      FacadeCall("app_update") {
        _ = try await $0.apps.update(app: "app", name: "name", orgAccess: .reader, options: options)
      },
      FacadeCall("app_delete") { try await $0.apps.delete(app: "app", passkey: passkey, options: options) },
      FacadeCall("app_call") {
        _ = try await $0.apps.call(
          app: "app", method: "method", args: ["n": 1], idempotencyKey: "idempotencyKey", ifSeq: 7,
          options: options)
      },
      FacadeCall("app_view") {
        _ = try await $0.apps.view(app: "app", method: "method", args: ["n": 1], minSeq: 7, options: options)
      },
      FacadeCall("app_upgrade") {
        _ = try await $0.apps.upgrade(app: "app", version: "version", passkey: passkey, options: options)
      },
      FacadeCall("app_abi_get") { _ = try await $0.apps.abiGet(app: "app", options: options) },
      FacadeCall("app_event_list") {
        _ = try await $0.apps.eventList(
          app: "app", cursor: "cursor", kinds: "kinds", waitMs: 7, limit: 7, options: options)
      },
      FacadeCall("app_presence_list") { _ = try await $0.apps.presenceList(app: "app", options: options) },
      FacadeCall("app_presence_set") {
        try await $0.apps.presenceSet(app: "app", state: ["n": 1], version: 7, options: options)
      },
      FacadeCall("app_member_list") {
        _ = try await $0.apps.memberList(app: "app", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("app_member_set") {
        _ = try await $0.apps.memberSet(app: "app", principal: "principal", role: .writer, options: options)
      },
      FacadeCall("app_member_remove") {
        try await $0.apps.memberRemove(app: "app", principal: "principal", options: options)
      },
      FacadeCall("app_blob_list") {
        _ = try await $0.apps.blobList(app: "app", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("app_blob_put") {
        _ = try await $0.apps.blobPut(
          app: "app", body: bytes, contentType: "image/png", name: "name", sha256: "sha256", options: options)
      },
      FacadeCall("app_blob_get") {
        _ = try await $0.apps.blobGet(app: "app", blob: "blob", range: "Range", options: options)
      },
      FacadeCall("app_blob_delete") {
        try await $0.apps.blobDelete(app: "app", blob: "blob", options: options)
      },
      FacadeCall("app_upload_begin") {
        _ = try await $0.apps.uploadBegin(
          app: "app", size: 7, sha256: "sha256", contentType: "contentType", name: "name", options: options)
      },
      FacadeCall("app_upload_part") {
        _ = try await $0.apps.uploadPart(
          app: "app", upload: "upload", index: 7, body: bytes, contentType: "image/png", options: options)
      },
      FacadeCall("app_upload_finish") {
        _ = try await $0.apps.uploadFinish(app: "app", upload: "upload", options: options)
      },
      FacadeCall("app_search") {
        _ = try await $0.apps.search(
          app: "app", query: "query", kinds: ["kinds"], limit: 7, cursor: "cursor", options: options)
      },
      FacadeCall("app_job_create") {
        _ = try await $0.apps.jobCreate(
          app: "app", method: "method", args: ["n": 1], timeoutMs: 7, idempotencyKey: "idempotencyKey",
          options: options)
      },
      FacadeCall("app_job_get") { _ = try await $0.apps.jobGet(app: "app", job: "job", options: options) },
      FacadeCall("app_job_cancel") {
        _ = try await $0.apps.jobCancel(app: "app", job: "job", options: options)
      },
      FacadeCall("app_timer_list") {
        _ = try await $0.apps.timerList(app: "app", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("app_timer_create") {
        _ = try await $0.apps.timerCreate(
          app: "app", method: "method", schedule: .init(everyMs: 5), args: ["n": 1],
          idempotencyKey: "idempotencyKey", options: options)
      },
      FacadeCall("app_timer_delete") {
        try await $0.apps.timerDelete(app: "app", timer: "timer", options: options)
      },
    ]
  }
}
