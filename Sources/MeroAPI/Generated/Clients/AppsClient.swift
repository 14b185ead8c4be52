// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// List apps.
  ///
  /// Apps the caller may see.
  ///
  /// `GET /apps`
  ///
  /// An API key needs `apps:read`.
  public func appList(_ input: Operations.AppList.Input = .init()) async throws -> Operations.AppList.Output {
    try await perform(input)
  }

  /// Create an app.
  ///
  /// Makes an app from a deployed package and runs the package's init method with initArgs. The answer may
  /// come while it is still being made; then its state is creating and app events tell when it is ready.
  ///
  /// `POST /apps`
  ///
  /// An API key needs `apps:manage`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public func appCreate(_ input: Operations.AppCreate.Input) async throws -> Operations.AppCreate.Output {
    try await perform(input)
  }

  /// Get an app.
  ///
  /// One app.
  ///
  /// `GET /apps/{app}`
  ///
  /// An API key needs `apps:read`.
  public func appGet(_ input: Operations.AppGet.Input) async throws -> Operations.AppGet.Output {
    try await perform(input)
  }

  /// Change an app.
  ///
  /// Changes its name or what the organization's members may do in it. Fields left out stay.
  ///
  /// `PATCH /apps/{app}`
  ///
  /// An API key needs `apps:manage`.
  public func appUpdate(_ input: Operations.AppUpdate.Input) async throws -> Operations.AppUpdate.Output {
    try await perform(input)
  }

  /// Delete an app.
  ///
  /// Deletes the app, its state, files, jobs and timers. Only an admin or owner of the organization may.
  ///
  /// `DELETE /apps/{app}`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func appDelete(_ input: Operations.AppDelete.Input) async throws -> Operations.AppDelete.Output {
    try await perform(input)
  }

  /// Call a method.
  ///
  /// Runs a method that may change the app's state, applies it in the app's order, and answers once a
  /// majority of nodes hold it. With an idempotency key a repeat gives the kept answer instead of running
  /// again.
  ///
  /// `POST /apps/{app}/intents`
  ///
  /// An API key needs `apps:call`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public func appCall(_ input: Operations.AppCall.Input) async throws -> Operations.AppCall.Output {
    try await perform(input)
  }

  /// Call a view.
  ///
  /// Runs a method that only reads. Nothing it does is kept.
  ///
  /// `POST /apps/{app}/views`
  ///
  /// An API key needs `apps:view`.
  public func appView(_ input: Operations.AppView.Input) async throws -> Operations.AppView.Output {
    try await perform(input)
  }

  /// Move an app to another version.
  ///
  /// Runs the new version's migration and switches the app over, or leaves it as it was.
  ///
  /// `POST /apps/{app}/upgrade`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func appUpgrade(_ input: Operations.AppUpgrade.Input) async throws -> Operations.AppUpgrade.Output {
    try await perform(input)
  }

  /// Get an app's interface.
  ///
  /// The methods and events of the code the app runs.
  ///
  /// `GET /apps/{app}/abi`
  ///
  /// An API key needs `apps:read`.
  public func appAbiGet(_ input: Operations.AppAbiGet.Input) async throws -> Operations.AppAbiGet.Output {
    try await perform(input)
  }

  /// Read events.
  ///
  /// A page of events after a cursor. Without a cursor it begins with the oldest kept. With waitMs and no
  /// events it waits for one.
  ///
  /// `GET /apps/{app}/events`
  ///
  /// An API key needs `apps:events`.
  public func appEventList(
    _ input: Operations.AppEventList.Input
  ) async throws -> Operations.AppEventList.Output {
    try await perform(input)
  }

  /// Who is present.
  ///
  /// Every presence entry that has not expired.
  ///
  /// `GET /apps/{app}/presence`
  ///
  /// An API key needs `apps:events`.
  public func appPresenceList(
    _ input: Operations.AppPresenceList.Input
  ) async throws -> Operations.AppPresenceList.Output {
    try await perform(input)
  }

  /// Say that I am present.
  ///
  /// Sets the caller's own entry, which lives for the limit's presenceTtlMs. A null state takes it away. A
  /// call whose version is not above the last one kept is ignored and answers 204 all the same.
  ///
  /// `PUT /apps/{app}/presence`
  ///
  /// It takes no API key.
  public func appPresenceSet(
    _ input: Operations.AppPresenceSet.Input
  ) async throws -> Operations.AppPresenceSet.Output {
    try await perform(input)
  }

  /// List an app's members.
  ///
  /// Accounts and teams with a role of their own in the app.
  ///
  /// `GET /apps/{app}/members`
  ///
  /// An API key needs `apps:read`.
  public func appMemberList(
    _ input: Operations.AppMemberList.Input
  ) async throws -> Operations.AppMemberList.Output {
    try await perform(input)
  }

  /// Give a role in an app.
  ///
  /// Gives an account or a team a role in the app.
  ///
  /// `PUT /apps/{app}/members/{principal}`
  ///
  /// An API key needs `apps:manage`.
  public func appMemberSet(
    _ input: Operations.AppMemberSet.Input
  ) async throws -> Operations.AppMemberSet.Output {
    try await perform(input)
  }

  /// Take a role in an app away.
  ///
  /// Takes it away; taking away what is not there succeeds.
  ///
  /// `DELETE /apps/{app}/members/{principal}`
  ///
  /// An API key needs `apps:manage`.
  public func appMemberRemove(
    _ input: Operations.AppMemberRemove.Input
  ) async throws -> Operations.AppMemberRemove.Output {
    try await perform(input)
  }

  /// List files.
  ///
  /// Files in the app's sealed storage.
  ///
  /// `GET /apps/{app}/blobs`
  ///
  /// An API key needs `storage:read`.
  public func appBlobList(
    _ input: Operations.AppBlobList.Input
  ) async throws -> Operations.AppBlobList.Output {
    try await perform(input)
  }

  /// Put a file.
  ///
  /// Stores a file. Its id is its hash, so putting it twice stores it once. The type in Content-Type is kept.
  ///
  /// `POST /apps/{app}/blobs`
  ///
  /// An API key needs `storage:write`.
  public func appBlobPut(_ input: Operations.AppBlobPut.Input) async throws -> Operations.AppBlobPut.Output {
    try await perform(input)
  }

  /// Get a file.
  ///
  /// The file's bytes. A Range header of one range is honoured with 206.
  ///
  /// `GET /apps/{app}/blobs/{blob}`
  ///
  /// An API key needs `storage:read`.
  public func appBlobGet(_ input: Operations.AppBlobGet.Input) async throws -> Operations.AppBlobGet.Output {
    try await perform(input)
  }

  /// Delete a file.
  ///
  /// Deletes the file; deleting what is not there succeeds.
  ///
  /// `DELETE /apps/{app}/blobs/{blob}`
  ///
  /// An API key needs `storage:write`.
  public func appBlobDelete(
    _ input: Operations.AppBlobDelete.Input
  ) async throws -> Operations.AppBlobDelete.Output {
    try await perform(input)
  }

  /// Begin an upload in parts.
  ///
  /// For files larger than one request may carry. Naming a hash that an unfinished upload of the caller has
  /// continues that one.
  ///
  /// `POST /apps/{app}/uploads`
  ///
  /// An API key needs `storage:write`.
  public func appUploadBegin(
    _ input: Operations.AppUploadBegin.Input
  ) async throws -> Operations.AppUploadBegin.Output {
    try await perform(input)
  }

  /// Send one part.
  ///
  /// Stores one part; sending it again replaces it.
  ///
  /// `PUT /apps/{app}/uploads/{upload}/parts/{index}`
  ///
  /// An API key needs `storage:write`.
  public func appUploadPart(
    _ input: Operations.AppUploadPart.Input
  ) async throws -> Operations.AppUploadPart.Output {
    try await perform(input)
  }

  /// Finish an upload.
  ///
  /// Joins the parts and checks the hash.
  ///
  /// `POST /apps/{app}/uploads/{upload}/finish`
  ///
  /// An API key needs `storage:write`.
  public func appUploadFinish(
    _ input: Operations.AppUploadFinish.Input
  ) async throws -> Operations.AppUploadFinish.Output {
    try await perform(input)
  }

  /// Search an app.
  ///
  /// Searches the entries the app's code has put in its index.
  ///
  /// `POST /apps/{app}/search`
  ///
  /// An API key needs `apps:view`.
  public func appSearch(_ input: Operations.AppSearch.Input) async throws -> Operations.AppSearch.Output {
    try await perform(input)
  }

  /// Start a job.
  ///
  /// Queues a method that runs longer than a call may.
  ///
  /// `POST /apps/{app}/jobs`
  ///
  /// An API key needs `jobs:run`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public func appJobCreate(
    _ input: Operations.AppJobCreate.Input
  ) async throws -> Operations.AppJobCreate.Output {
    try await perform(input)
  }

  /// Get a job.
  ///
  /// Where a job stands. Kept for 7 days after it ends.
  ///
  /// `GET /apps/{app}/jobs/{job}`
  ///
  /// An API key needs `jobs:run`.
  public func appJobGet(_ input: Operations.AppJobGet.Input) async throws -> Operations.AppJobGet.Output {
    try await perform(input)
  }

  /// Stop a job.
  ///
  /// Asks a job to stop; a job that has ended stays as it is.
  ///
  /// `POST /apps/{app}/jobs/{job}/cancel`
  ///
  /// An API key needs `jobs:run`.
  public func appJobCancel(
    _ input: Operations.AppJobCancel.Input
  ) async throws -> Operations.AppJobCancel.Output {
    try await perform(input)
  }

  /// List timers.
  ///
  /// The app's timers.
  ///
  /// `GET /apps/{app}/timers`
  ///
  /// An API key needs `timers:manage`.
  public func appTimerList(
    _ input: Operations.AppTimerList.Input
  ) async throws -> Operations.AppTimerList.Output {
    try await perform(input)
  }

  /// Set a timer.
  ///
  /// Makes the app run a method at set times, with no person behind it.
  ///
  /// `POST /apps/{app}/timers`
  ///
  /// An API key needs `timers:manage`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public func appTimerCreate(
    _ input: Operations.AppTimerCreate.Input
  ) async throws -> Operations.AppTimerCreate.Output {
    try await perform(input)
  }

  /// Remove a timer.
  ///
  /// Removes it; removing what is not there succeeds.
  ///
  /// `DELETE /apps/{app}/timers/{timer}`
  ///
  /// An API key needs `timers:manage`.
  public func appTimerDelete(
    _ input: Operations.AppTimerDelete.Input
  ) async throws -> Operations.AppTimerDelete.Output {
    try await perform(input)
  }
}
