// A node's own names for ids; nobody else sees them. A name is 1 to 50 of `A-Z a-z 0-9 . _ -`.
extension AdminApi {
  /// Names a context.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the name is taken.
  public func createContextAlias(_ request: CreateContextAliasRequest) async throws {
    try await run(.post, "alias/create/context", json(request))
  }

  /// The context a name stands for.
  public func lookupContextAlias(_ name: String) async throws -> LookupAliasResponseData {
    try await call(.post, "alias/lookup/context/\(name)", .emptyObject)
  }

  /// Frees a context's name.
  public func deleteContextAlias(_ name: String) async throws {
    try await run(.post, "alias/delete/context/\(name)", .emptyObject)
  }

  /// All names of contexts.
  public func listContextAliases() async throws -> ListAliasesResponseData {
    try await get("alias/list/context")
  }

  /// Names an application.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the name is taken.
  public func createApplicationAlias(_ request: CreateApplicationAliasRequest) async throws {
    try await run(.post, "alias/create/application", json(request))
  }

  /// The application a name stands for.
  public func lookupApplicationAlias(_ name: String) async throws -> LookupAliasResponseData {
    try await call(.post, "alias/lookup/application/\(name)", .emptyObject)
  }

  /// Frees an application's name.
  public func deleteApplicationAlias(_ name: String) async throws {
    try await run(.post, "alias/delete/application/\(name)", .emptyObject)
  }

  /// All names of applications.
  public func listApplicationAliases() async throws -> ListAliasesResponseData {
    try await get("alias/list/application")
  }

  /// Names a device.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the name is taken.
  public func createDeviceAlias(_ request: CreateDeviceAliasRequest) async throws {
    try await run(.post, "alias/create/device", json(request))
  }

  /// The device a name stands for.
  public func lookupDeviceAlias(_ name: String) async throws -> LookupAliasResponseData {
    try await call(.post, "alias/lookup/device/\(name)", .emptyObject)
  }

  /// Frees a device's name.
  public func deleteDeviceAlias(_ name: String) async throws {
    try await run(.post, "alias/delete/device/\(name)", .emptyObject)
  }

  /// All names of devices.
  public func listDeviceAliases() async throws -> ListAliasesResponseData {
    try await get("alias/list/device")
  }
}
