// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import Foundation
import MeroAPI
import MeroWire

extension CalimeroClient {
  /// The operations of the group `apps`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct AppsApi: Sendable {
    let caller: any FacadeCaller

    /// List apps.
    ///
    /// Apps the caller may see.
    ///
    /// `GET /apps`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - org: Only this organization's.
    ///   - package: Only those that run this package.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of apps.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`.
    public func list(
      org: String? = nil,
      package: String? = nil,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.AppList {
      let input = Operations.AppList.Input(
        query: .init(org: org, package: package, cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``list(org:package:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - org: Only this organization's.
    ///   - package: Only those that run this package.
    ///   - options: What this request does differently.
    public func all(
      org: String? = nil,
      package: String? = nil,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.App> {
      Pages(of: "app_list") { cursor in
        let page = try await list(
          org: org,
          package: package,
          cursor: cursor,
          limit: pageLimit,
          options: options
        )
        return (page.apps, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - name: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - package: A package with a live deployment.
    ///   - org: The organization that will own it.
    ///   - version: The version; the deployment's own when left out.
    ///   - initArgs: Arguments for init; an empty object when left out.
    ///   - orgAccess: What members of the owning organization may do in an app without being named.
    ///   - idempotencyKey: Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
    ///   - options: What this request does differently.
    /// - Returns: An app: one running instance of a package, with its own state.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `IDEMPOTENCY_IN_PROGRESS`,
    ///   `IDEMPOTENCY_KEY_REUSED`, `INVALID_ARGUMENT`, `METHOD_FAILED`, `METHOD_TRAPPED`, `NAME_TAKEN`,
    ///   `NOT_FOUND`, `QUOTA_EXCEEDED`, `TIMEOUT`.
    public func create(
      name: String,
      package: String,
      org: String,
      version: String? = nil,
      initArgs: JSONValue? = nil,
      orgAccess: Components.Schemas.OrgAccess? = nil,
      idempotencyKey: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.App {
      let payload = Operations.AppCreate.Input.Body.JsonPayload(
        name: name,
        package: package,
        org: org,
        version: version,
        initArgs: initArgs,
        orgAccess: orgAccess,
        idempotencyKey: idempotencyKey
      )
      let input = Operations.AppCreate.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Get an app.
    ///
    /// One app.
    ///
    /// `GET /apps/{app}`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - options: What this request does differently.
    /// - Returns: An app: one running instance of a package, with its own state.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func get(app: String, options: RequestOptions = .init()) async throws -> Components.Schemas.App {
      let input = Operations.AppGet.Input(path: .init(app: app))
      return try await caller.json(input, options: options)
    }

    /// Change an app.
    ///
    /// Changes its name or what the organization's members may do in it. Fields left out stay.
    ///
    /// `PATCH /apps/{app}`
    ///
    /// An API key needs `apps:manage`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - name: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - orgAccess: What members of the owning organization may do in an app without being named.
    ///   - options: What this request does differently.
    /// - Returns: An app: one running instance of a package, with its own state.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NAME_TAKEN`, `NOT_FOUND`.
    public func update(
      app: String,
      name: String? = nil,
      orgAccess: Components.Schemas.OrgAccess? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.App {
      let payload = Operations.AppUpdate.Input.Body.JsonPayload(name: name, orgAccess: orgAccess)
      let input = Operations.AppUpdate.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `NOT_FOUND`.
    public func delete(
      app: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.AppDelete.Input(path: .init(app: app))
      try await caller.nothing(input, passkey: passkey, options: options)
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
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - method: The method's name. At most 128 characters.
    ///   - args: Its arguments: an object by name, or an array in order. Numbers are kept exactly.
    ///   - idempotencyKey: Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
    ///   - ifSeq: Only if the app's position is this; else 409 VERSION_CONFLICT.
    ///   - options: What this request does differently.
    /// - Returns: What a call returned and where it stands in the app's order.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `APP_NOT_READY`,
    ///   `ARGS_INVALID`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `METHOD_FAILED`,
    ///   `METHOD_NOT_FOUND`, `METHOD_TRAPPED`, `NOT_FOUND`, `NOT_LEADER`, `PAYLOAD_TOO_LARGE`,
    ///   `QUOTA_EXCEEDED`, `SUSPENDED`, `TIMEOUT`, `VERSION_CONFLICT`.
    public func call(
      app: String,
      method: String,
      args: JSONValue,
      idempotencyKey: String? = nil,
      ifSeq: UInt64? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.CallResult {
      let payload = Operations.AppCall.Input.Body.JsonPayload(
        method: method,
        args: args,
        idempotencyKey: idempotencyKey,
        ifSeq: ifSeq
      )
      let input = Operations.AppCall.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Call a view.
    ///
    /// Runs a method that only reads. Nothing it does is kept.
    ///
    /// `POST /apps/{app}/views`
    ///
    /// An API key needs `apps:view`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - method: The method's name. At most 128 characters.
    ///   - args: Its arguments: an object by name, or an array in order.
    ///   - minSeq: Read at this position or later; a node that is behind waits up to 2 seconds, then answers
    ///     503 BEHIND.
    ///   - options: What this request does differently.
    /// - Returns: What a view returned and the position it read at.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `APP_NOT_READY`,
    ///   `ARGS_INVALID`, `BEHIND`, `METHOD_FAILED`, `METHOD_NOT_FOUND`, `METHOD_TRAPPED`, `NOT_FOUND`,
    ///   `PAYLOAD_TOO_LARGE`, `TIMEOUT`, `VIEW_WROTE`.
    public func view(
      app: String,
      method: String,
      args: JSONValue,
      minSeq: UInt64? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ViewResult {
      let payload = Operations.AppView.Input.Body.JsonPayload(method: method, args: args)
      let input = Operations.AppView.Input(
        path: .init(app: app),
        headers: .init(minSeq: minSeq),
        body: .json(payload)
      )
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - version: The version to move to.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: An app: one running instance of a package, with its own state.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `APP_NOT_READY`,
    ///   `CONFIRM_REJECTED`, `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `NOT_FOUND`, `VERSION_CONFLICT`.
    public func upgrade(
      app: String,
      version: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.App {
      let payload = Operations.AppUpgrade.Input.Body.JsonPayload(version: version)
      let input = Operations.AppUpgrade.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Get an app's interface.
    ///
    /// The methods and events of the code the app runs.
    ///
    /// `GET /apps/{app}/abi`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - options: What this request does differently.
    /// - Returns: The interface of the code an app runs.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func abiGet(
      app: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.AppAbi {
      let input = Operations.AppAbiGet.Input(path: .init(app: app))
      return try await caller.json(input, options: options)
    }

    /// Read events.
    ///
    /// A page of events after a cursor. Without a cursor it begins with the oldest kept. With waitMs and no
    /// events it waits for one.
    ///
    /// `GET /apps/{app}/events`
    ///
    /// An API key needs `apps:events`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - kinds: Only these kinds, comma-separated.
    ///   - waitMs: Wait this long for an event. From 0 to 25000. Left out it is `0`.
    ///   - limit: How many at most. From 1 to 500. Left out it is `100`.
    ///   - options: What this request does differently.
    /// - Returns: A page of events.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CURSOR_EXPIRED`,
    ///   `INVALID_CURSOR`, `NOT_FOUND`.
    public func eventList(
      app: String,
      cursor: String? = nil,
      kinds: String? = nil,
      waitMs: Int64? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.EventPage {
      let input = Operations.AppEventList.Input(
        path: .init(app: app),
        query: .init(cursor: cursor, kinds: kinds, waitMs: waitMs, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// Who is present.
    ///
    /// Every presence entry that has not expired.
    ///
    /// `GET /apps/{app}/presence`
    ///
    /// An API key needs `apps:events`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - options: What this request does differently.
    /// - Returns: Who is present.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func presenceList(
      app: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.PresenceList {
      let input = Operations.AppPresenceList.Input(path: .init(app: app))
      return try await caller.json(input, options: options)
    }

    /// Say that I am present.
    ///
    /// Sets the caller's own entry, which lives for the limit's presenceTtlMs. A null state takes it away. A
    /// call whose version is not above the last one kept is ignored and answers 204 all the same.
    ///
    /// `PUT /apps/{app}/presence`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - state: Anything, or null to leave.
    ///   - version: Grows with every call of this session, so a late one cannot undo a newer.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`,
    ///   `PAYLOAD_TOO_LARGE`.
    public func presenceSet(
      app: String,
      state: JSONValue,
      version: UInt64,
      options: RequestOptions = .init()
    ) async throws {
      let payload = Operations.AppPresenceSet.Input.Body.JsonPayload(state: state, version: version)
      let input = Operations.AppPresenceSet.Input(path: .init(app: app), body: .json(payload))
      try await caller.nothing(input, options: options)
    }

    /// List an app's members.
    ///
    /// Accounts and teams with a role of their own in the app.
    ///
    /// `GET /apps/{app}/members`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of an app's members.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func memberList(
      app: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.AppMemberList {
      let input = Operations.AppMemberList.Input(
        path: .init(app: app),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``memberList(app:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - options: What this request does differently.
    public func memberAll(
      app: String,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.AppMember> {
      Pages(of: "app_member_list") { cursor in
        let page = try await memberList(app: app, cursor: cursor, limit: pageLimit, options: options)
        return (page.members, page.nextCursor)
      }
    }

    /// Give a role in an app.
    ///
    /// Gives an account or a team a role in the app.
    ///
    /// `PUT /apps/{app}/members/{principal}`
    ///
    /// An API key needs `apps:manage`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - principal: The account's or team's id.
    ///   - role: A role in an app, strongest first.
    ///   - options: What this request does differently.
    /// - Returns: An account or team with a role in an app.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func memberSet(
      app: String,
      principal: String,
      role: Components.Schemas.AppRole,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.AppMember {
      let payload = Operations.AppMemberSet.Input.Body.JsonPayload(role: role)
      let input = Operations.AppMemberSet.Input(
        path: .init(app: app, principal: principal),
        body: .json(payload)
      )
      return try await caller.json(input, options: options)
    }

    /// Take a role in an app away.
    ///
    /// Takes it away; taking away what is not there succeeds.
    ///
    /// `DELETE /apps/{app}/members/{principal}`
    ///
    /// An API key needs `apps:manage`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - principal: The account's or team's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func memberRemove(app: String, principal: String, options: RequestOptions = .init()) async throws {
      let input = Operations.AppMemberRemove.Input(path: .init(app: app, principal: principal))
      try await caller.nothing(input, options: options)
    }

    /// List files.
    ///
    /// Files in the app's sealed storage.
    ///
    /// `GET /apps/{app}/blobs`
    ///
    /// An API key needs `storage:read`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of files.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func blobList(
      app: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.BlobList {
      let input = Operations.AppBlobList.Input(
        path: .init(app: app),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``blobList(app:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - options: What this request does differently.
    public func blobAll(app: String, options: RequestOptions = .init()) -> Pages<Components.Schemas.Blob> {
      Pages(of: "app_blob_list") { cursor in
        let page = try await blobList(app: app, cursor: cursor, limit: pageLimit, options: options)
        return (page.blobs, page.nextCursor)
      }
    }

    /// Put a file.
    ///
    /// Stores a file. Its id is its hash, so putting it twice stores it once. The type in Content-Type is
    /// kept.
    ///
    /// `POST /apps/{app}/blobs`
    ///
    /// An API key needs `storage:write`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - body: The bytes.
    ///   - contentType: What the bytes are.
    ///   - name: A file name. At most 255 characters.
    ///   - sha256: The hash the bytes must have.
    ///   - options: What this request does differently.
    /// - Returns: A file in an app's sealed storage.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `HASH_MISMATCH`, `NOT_FOUND`,
    ///   `PAYLOAD_TOO_LARGE`, `QUOTA_EXCEEDED`.
    public func blobPut(
      app: String,
      body: Data,
      contentType: String = "application/octet-stream",
      name: String? = nil,
      sha256: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Blob {
      let input = Operations.AppBlobPut.Input(
        path: .init(app: app),
        query: .init(name: name, sha256: sha256),
        body: .binary(body, contentType: contentType)
      )
      return try await caller.json(input, options: options)
    }

    /// Get a file.
    ///
    /// The file's bytes. A Range header of one range is honoured with 206.
    ///
    /// `GET /apps/{app}/blobs/{blob}`
    ///
    /// An API key needs `storage:read`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - blob: The file's id.
    ///   - range: One byte range.
    ///   - options: What this request does differently.
    /// - Returns: The operation succeeded.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func blobGet(
      app: String,
      blob: String,
      range: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Data {
      let input = Operations.AppBlobGet.Input(path: .init(app: app, blob: blob), headers: .init(range: range))
      return try await caller.bytes(input, options: options)
    }

    /// Delete a file.
    ///
    /// Deletes the file; deleting what is not there succeeds.
    ///
    /// `DELETE /apps/{app}/blobs/{blob}`
    ///
    /// An API key needs `storage:write`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - blob: The file's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func blobDelete(app: String, blob: String, options: RequestOptions = .init()) async throws {
      let input = Operations.AppBlobDelete.Input(path: .init(app: app, blob: blob))
      try await caller.nothing(input, options: options)
    }

    /// Begin an upload in parts.
    ///
    /// For files larger than one request may carry. Naming a hash that an unfinished upload of the caller has
    /// continues that one.
    ///
    /// `POST /apps/{app}/uploads`
    ///
    /// An API key needs `storage:write`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - size: Bytes.
    ///   - sha256: Its hash, lower-case hex.
    ///   - contentType: Its media type.
    ///   - name: A file name. At most 255 characters.
    ///   - options: What this request does differently.
    /// - Returns: An upload in parts.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `NOT_FOUND`, `QUOTA_EXCEEDED`.
    public func uploadBegin(
      app: String,
      size: UInt64,
      sha256: String,
      contentType: String? = nil,
      name: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Upload {
      let payload = Operations.AppUploadBegin.Input.Body.JsonPayload(
        size: size,
        sha256: sha256,
        contentType: contentType,
        name: name
      )
      let input = Operations.AppUploadBegin.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Send one part.
    ///
    /// Stores one part; sending it again replaces it.
    ///
    /// `PUT /apps/{app}/uploads/{upload}/parts/{index}`
    ///
    /// An API key needs `storage:write`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - upload: The upload's id.
    ///   - index: The part, from 0.
    ///   - body: The part's bytes.
    ///   - contentType: What the bytes are.
    ///   - options: What this request does differently.
    /// - Returns: An upload in parts.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `NOT_FOUND`, `PAYLOAD_TOO_LARGE`.
    public func uploadPart(
      app: String,
      upload: String,
      index: Int32,
      body: Data,
      contentType: String = "application/octet-stream",
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Upload {
      let input = Operations.AppUploadPart.Input(
        path: .init(app: app, upload: upload, index: index),
        body: .binary(body, contentType: contentType)
      )
      return try await caller.json(input, options: options)
    }

    /// Finish an upload.
    ///
    /// Joins the parts and checks the hash.
    ///
    /// `POST /apps/{app}/uploads/{upload}/finish`
    ///
    /// An API key needs `storage:write`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - upload: The upload's id.
    ///   - options: What this request does differently.
    /// - Returns: A file in an app's sealed storage.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `HASH_MISMATCH`, `NOT_FOUND`,
    ///   `UPLOAD_INCOMPLETE`.
    public func uploadFinish(
      app: String,
      upload: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Blob {
      let input = Operations.AppUploadFinish.Input(path: .init(app: app, upload: upload))
      return try await caller.json(input, options: options)
    }

    /// Search an app.
    ///
    /// Searches the entries the app's code has put in its index.
    ///
    /// `POST /apps/{app}/search`
    ///
    /// An API key needs `apps:view`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - query: Words. At most 1000 characters.
    ///   - kinds: Only these indexes.
    ///   - limit: How many at most. From 1 to 200. Left out it is `20`.
    ///   - cursor: The nextCursor of the page before.
    ///   - options: What this request does differently.
    /// - Returns: What a search found.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func search(
      app: String,
      query: String,
      kinds: [String]? = nil,
      limit: Int32? = nil,
      cursor: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.SearchResults {
      let payload = Operations.AppSearch.Input.Body.JsonPayload(
        query: query,
        kinds: kinds,
        limit: limit,
        cursor: cursor
      )
      let input = Operations.AppSearch.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - method: The method's name.
    ///   - args: Its arguments.
    ///   - timeoutMs: How long it may run; at most 1 hour. From 1000 to 3600000. Left out it is `600000`.
    ///   - idempotencyKey: Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
    ///   - options: What this request does differently.
    /// - Returns: A compute job: a method that runs longer than a call may.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `ARGS_INVALID`,
    ///   `IDEMPOTENCY_KEY_REUSED`, `METHOD_NOT_FOUND`, `NOT_FOUND`, `QUOTA_EXCEEDED`.
    public func jobCreate(
      app: String,
      method: String,
      args: JSONValue,
      timeoutMs: Int64? = nil,
      idempotencyKey: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Job {
      let payload = Operations.AppJobCreate.Input.Body.JsonPayload(
        method: method,
        args: args,
        timeoutMs: timeoutMs,
        idempotencyKey: idempotencyKey
      )
      let input = Operations.AppJobCreate.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Get a job.
    ///
    /// Where a job stands. Kept for 7 days after it ends.
    ///
    /// `GET /apps/{app}/jobs/{job}`
    ///
    /// An API key needs `jobs:run`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - job: The job's id.
    ///   - options: What this request does differently.
    /// - Returns: A compute job: a method that runs longer than a call may.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func jobGet(
      app: String,
      job: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Job {
      let input = Operations.AppJobGet.Input(path: .init(app: app, job: job))
      return try await caller.json(input, options: options)
    }

    /// Stop a job.
    ///
    /// Asks a job to stop; a job that has ended stays as it is.
    ///
    /// `POST /apps/{app}/jobs/{job}/cancel`
    ///
    /// An API key needs `jobs:run`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - job: The job's id.
    ///   - options: What this request does differently.
    /// - Returns: A compute job: a method that runs longer than a call may.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func jobCancel(
      app: String,
      job: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Job {
      let input = Operations.AppJobCancel.Input(path: .init(app: app, job: job))
      return try await caller.json(input, options: options)
    }

    /// List timers.
    ///
    /// The app's timers.
    ///
    /// `GET /apps/{app}/timers`
    ///
    /// An API key needs `timers:manage`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: An app's timers.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func timerList(
      app: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.TimerList {
      let input = Operations.AppTimerList.Input(
        path: .init(app: app),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``timerList(app:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - options: What this request does differently.
    public func timerAll(app: String, options: RequestOptions = .init()) -> Pages<Components.Schemas.Timer> {
      Pages(of: "app_timer_list") { cursor in
        let page = try await timerList(app: app, cursor: cursor, limit: pageLimit, options: options)
        return (page.timers, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - method: The method's name.
    ///   - schedule: When a timer fires. Exactly one field is set.
    ///   - args: Its arguments; an empty object when left out.
    ///   - idempotencyKey: Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
    ///   - options: What this request does differently.
    /// - Returns: A method an app runs at set times.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `IDEMPOTENCY_KEY_REUSED`,
    ///   `INVALID_ARGUMENT`, `METHOD_NOT_FOUND`, `NOT_FOUND`, `QUOTA_EXCEEDED`.
    public func timerCreate(
      app: String,
      method: String,
      schedule: Components.Schemas.TimerSchedule,
      args: JSONValue? = nil,
      idempotencyKey: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Timer {
      let payload = Operations.AppTimerCreate.Input.Body.JsonPayload(
        method: method,
        args: args,
        schedule: schedule,
        idempotencyKey: idempotencyKey
      )
      let input = Operations.AppTimerCreate.Input(path: .init(app: app), body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Remove a timer.
    ///
    /// Removes it; removing what is not there succeeds.
    ///
    /// `DELETE /apps/{app}/timers/{timer}`
    ///
    /// An API key needs `timers:manage`.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - timer: The timer's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func timerDelete(app: String, timer: String, options: RequestOptions = .init()) async throws {
      let input = Operations.AppTimerDelete.Input(path: .init(app: app, timer: timer))
      try await caller.nothing(input, options: options)
    }
  }
}
