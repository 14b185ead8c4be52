// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import Foundation
import MeroAPI

extension CalimeroClient {
  /// The operations of the group `packages`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct PackagesApi: Sendable {
    let caller: any FacadeCaller

    /// List packages.
    ///
    /// Packages that are deployed here.
    ///
    /// `GET /packages`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - query: Words to look for. At most 200 characters.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of packages.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`.
    public func list(
      query: String? = nil,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.PackageList {
      let input = Operations.PackageList.Input(query: .init(query: query, cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``list(query:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - query: Words to look for. At most 200 characters.
    ///   - options: What this request does differently.
    public func all(
      query: String? = nil,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.Package> {
      Pages(of: "package_list") { cursor in
        let page = try await list(query: query, cursor: cursor, limit: pageLimit, options: options)
        return (page.packages, page.nextCursor)
      }
    }

    /// Get a package.
    ///
    /// One package.
    ///
    /// `GET /packages/{package}`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - package: The package's name.
    ///   - options: What this request does differently.
    /// - Returns: A package: code an app can run.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func get(
      package: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Package {
      let input = Operations.PackageGet.Input(path: .init(package: package))
      return try await caller.json(input, options: options)
    }

    /// List a package's versions.
    ///
    /// Its versions.
    ///
    /// `GET /packages/{package}/versions`
    ///
    /// An API key needs `apps:read`.
    ///
    /// - Parameters:
    ///   - package: The package's name.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A package's versions.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func versionList(
      package: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.PackageVersionList {
      let input = Operations.PackageVersionList.Input(
        path: .init(package: package),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``versionList(package:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - package: The package's name.
    ///   - options: What this request does differently.
    public func versionAll(
      package: String,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.PackageVersion> {
      Pages(of: "package_version_list") { cursor in
        let page = try await versionList(package: package, cursor: cursor, limit: pageLimit, options: options)
        return (page.versions, page.nextCursor)
      }
    }

    /// Publish a version.
    ///
    /// Uploads a signed bundle (.mpk). The manifest's signature, name and version are checked; the same
    /// bundle twice is one version.
    ///
    /// `POST /packages/{package}/versions`
    ///
    /// An API key needs `packages:publish`.
    ///
    /// - Parameters:
    ///   - package: The package's name.
    ///   - body: The bundle.
    ///   - org: The deployer that publishes it.
    ///   - contentType: What the bytes are.
    ///   - options: What this request does differently.
    /// - Returns: One version of a package.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `ALREADY_EXISTS`, `NOT_FOUND`,
    ///   `PACKAGE_INVALID`, `PAYLOAD_TOO_LARGE`.
    public func publish(
      package: String,
      body: Data,
      org: String,
      contentType: String = "application/octet-stream",
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.PackageVersion {
      let input = Operations.PackagePublish.Input(
        path: .init(package: package),
        query: .init(org: org),
        body: .binary(body, contentType: contentType)
      )
      return try await caller.json(input, options: options)
    }

    /// Yank a version.
    ///
    /// Stops new apps from using a version; apps that run it go on.
    ///
    /// `POST /packages/{package}/versions/{version}/yank`
    ///
    /// It needs a passkey for this very request.
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - package: The package's name.
    ///   - version: The version.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: One version of a package.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `NOT_FOUND`.
    public func yank(
      package: String,
      version: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.PackageVersion {
      let input = Operations.PackageYank.Input(path: .init(package: package, version: version))
      return try await caller.json(input, passkey: passkey, options: options)
    }
  }
}
