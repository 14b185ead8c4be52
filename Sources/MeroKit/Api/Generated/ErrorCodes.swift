// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension ErrorCode {
  /// 400: The body is not JSON, or holds a field this operation does not have.
  public static let badRequest = ErrorCode("BAD_REQUEST")
  /// 400: A parameter or field is outside its bounds; details.field names it and details.reason says why.
  public static let invalidArgument = ErrorCode("INVALID_ARGUMENT")
  /// 400: The cursor was not issued by this cluster for this listing.
  public static let invalidCursor = ErrorCode("INVALID_CURSOR")
  /// 401: No bearer token was sent, or none this cluster knows.
  public static let unauthenticated = ErrorCode("UNAUTHENTICATED")
  /// 401: The access token's time is over; refresh it.
  public static let tokenExpired = ErrorCode("TOKEN_EXPIRED")
  /// 401: The session was signed out or revoked; sign in again.
  public static let tokenRevoked = ErrorCode("TOKEN_REVOKED")
  /// 401: A refresh token was presented twice; the whole session is revoked.
  public static let refreshReused = ErrorCode("REFRESH_REUSED")
  /// 401: The passkey answer did not verify, or names a credential the account does not hold.
  public static let passkeyRejected = ErrorCode("PASSKEY_REJECTED")
  /// 403: The caller's role does not allow this.
  public static let forbidden = ErrorCode("FORBIDDEN")
  /// 403: The API key or consented session lacks a scope; details.scope names it.
  public static let scopeMissing = ErrorCode("SCOPE_MISSING")
  /// 403: The operation needs a passkey confirmation, which an API key cannot give.
  public static let humanRequired = ErrorCode("HUMAN_REQUIRED")
  /// 403: The confirmation sent did not verify; details.reason is mismatch, signature, credential or spent.
  public static let confirmRejected = ErrorCode("CONFIRM_REJECTED")
  /// 403: The operator signature sent did not verify; details.reason is mismatch, signature, key or spent.
  public static let operatorSignatureRejected = ErrorCode("OPERATOR_SIGNATURE_REJECTED")
  /// 403: The caller is not on the operator roster.
  public static let notOperator = ErrorCode("NOT_OPERATOR")
  /// 403: The cluster takes no new accounts.
  public static let signupClosed = ErrorCode("SIGNUP_CLOSED")
  /// 403: The cluster takes new accounts by invitation only.
  public static let inviteRequired = ErrorCode("INVITE_REQUIRED")
  /// 403: The account, organization or app is suspended; details.subject names which.
  public static let suspended = ErrorCode("SUSPENDED")
  /// 403: The organization's quota is used up; details.quota names which.
  public static let quotaExceeded = ErrorCode("QUOTA_EXCEEDED")
  /// 404: There is no such resource, or the caller may not know of it.
  public static let notFound = ErrorCode("NOT_FOUND")
  /// 404: The app's code has no such method.
  public static let methodNotFound = ErrorCode("METHOD_NOT_FOUND")
  /// 409: The resource is in a state that does not allow this.
  public static let conflict = ErrorCode("CONFLICT")
  /// 409: The name is in use.
  public static let nameTaken = ErrorCode("NAME_TAKEN")
  /// 409: The thing to be created is there already.
  public static let alreadyExists = ErrorCode("ALREADY_EXISTS")
  /// 409: An organization keeps at least one owner.
  public static let lastOwner = ErrorCode("LAST_OWNER")
  /// 409: An account keeps at least one passkey.
  public static let lastPasskey = ErrorCode("LAST_PASSKEY")
  /// 409: The version named does not follow the one in place.
  public static let versionConflict = ErrorCode("VERSION_CONFLICT")
  /// 409: The method called as a view changed state; nothing was kept. Call it instead.
  public static let viewWrote = ErrorCode("VIEW_WROTE")
  /// 409: The idempotency key was used before with other contents.
  public static let idempotencyKeyReused = ErrorCode("IDEMPOTENCY_KEY_REUSED")
  /// 409: The first request with this idempotency key is still running.
  public static let idempotencyInProgress = ErrorCode("IDEMPOTENCY_IN_PROGRESS")
  /// 409: The app is being created, upgraded or deleted.
  public static let appNotReady = ErrorCode("APP_NOT_READY")
  /// 409: The decision was made or has expired.
  public static let decisionClosed = ErrorCode("DECISION_CLOSED")
  /// 409: The upload lacks parts; details.missing lists their indexes.
  public static let uploadIncomplete = ErrorCode("UPLOAD_INCOMPLETE")
  /// 410: The passkey ceremony is over or was used.
  public static let ceremonyExpired = ErrorCode("CEREMONY_EXPIRED")
  /// 410: The invitation has expired, was revoked, or is used up; details.state says which.
  public static let inviteExpired = ErrorCode("INVITE_EXPIRED")
  /// 410: Events after this cursor are no longer kept; details.oldest is the oldest cursor that is.
  public static let cursorExpired = ErrorCode("CURSOR_EXPIRED")
  /// 410: The consent request or its code is over or was used.
  public static let consentExpired = ErrorCode("CONSENT_EXPIRED")
  /// 412: The operation needs a passkey confirmation; details is a ConfirmChallenge.
  public static let confirmRequired = ErrorCode("CONFIRM_REQUIRED")
  /// 413: The body is larger than the limit; details.limit is the limit in bytes.
  public static let payloadTooLarge = ErrorCode("PAYLOAD_TOO_LARGE")
  /// 422: The app's method returned an error; details.error is what it returned. State is unchanged.
  public static let methodFailed = ErrorCode("METHOD_FAILED")
  /// 422: The app's code trapped or ran out of its budget; details.reason says how. State is unchanged.
  public static let methodTrapped = ErrorCode("METHOD_TRAPPED")
  /// 422: The arguments do not fit the method's signature.
  public static let argsInvalid = ErrorCode("ARGS_INVALID")
  /// 422: The bytes do not have the hash that was declared.
  public static let hashMismatch = ErrorCode("HASH_MISMATCH")
  /// 422: The bundle's manifest, signature or code does not hold.
  public static let packageInvalid = ErrorCode("PACKAGE_INVALID")
  /// 428: The operation needs an operator's signature; details is an OperatorChallenge.
  public static let operatorSignatureRequired = ErrorCode("OPERATOR_SIGNATURE_REQUIRED")
  /// 429: Too many requests; wait error.retryAfterMs.
  public static let rateLimited = ErrorCode("RATE_LIMITED")
  /// 500: The node failed in a way it did not foresee.
  public static let `internal` = ErrorCode("INTERNAL")
  /// 503: The node is starting or cannot serve this now.
  public static let unavailable = ErrorCode("UNAVAILABLE")
  /// 503: The node is leaving service; use another.
  public static let draining = ErrorCode("DRAINING")
  /// 503: The node is too busy to take this.
  public static let overloaded = ErrorCode("OVERLOADED")
  /// 503: This node cannot order writes for this app now; details.node may name the one that can.
  public static let notLeader = ErrorCode("NOT_LEADER")
  /// 503: This node has not reached the position the caller asked for.
  public static let behind = ErrorCode("BEHIND")
  /// 503: This node has not yet received a record (a session, an app) that the request depends on.
  public static let syncing = ErrorCode("SYNCING")
  /// 504: The node gave up waiting; whether the operation took effect is unknown.
  public static let timeout = ErrorCode("TIMEOUT")

  /// The status each code comes with, and whether the operation had an effect: `yes`, `no` or `unknown`.
  package static let table: [String: (status: Int, ran: String)] = [
    "BAD_REQUEST": (400, "no"),
    "INVALID_ARGUMENT": (400, "no"),
    "INVALID_CURSOR": (400, "no"),
    "UNAUTHENTICATED": (401, "no"),
    "TOKEN_EXPIRED": (401, "no"),
    "TOKEN_REVOKED": (401, "no"),
    "REFRESH_REUSED": (401, "no"),
    "PASSKEY_REJECTED": (401, "no"),
    "FORBIDDEN": (403, "no"),
    "SCOPE_MISSING": (403, "no"),
    "HUMAN_REQUIRED": (403, "no"),
    "CONFIRM_REJECTED": (403, "no"),
    "OPERATOR_SIGNATURE_REJECTED": (403, "no"),
    "NOT_OPERATOR": (403, "no"),
    "SIGNUP_CLOSED": (403, "no"),
    "INVITE_REQUIRED": (403, "no"),
    "SUSPENDED": (403, "no"),
    "QUOTA_EXCEEDED": (403, "no"),
    "NOT_FOUND": (404, "no"),
    "METHOD_NOT_FOUND": (404, "no"),
    "CONFLICT": (409, "no"),
    "NAME_TAKEN": (409, "no"),
    "ALREADY_EXISTS": (409, "no"),
    "LAST_OWNER": (409, "no"),
    "LAST_PASSKEY": (409, "no"),
    "VERSION_CONFLICT": (409, "no"),
    "VIEW_WROTE": (409, "no"),
    "IDEMPOTENCY_KEY_REUSED": (409, "no"),
    "IDEMPOTENCY_IN_PROGRESS": (409, "no"),
    "APP_NOT_READY": (409, "no"),
    "DECISION_CLOSED": (409, "no"),
    "UPLOAD_INCOMPLETE": (409, "no"),
    "CEREMONY_EXPIRED": (410, "no"),
    "INVITE_EXPIRED": (410, "no"),
    "CURSOR_EXPIRED": (410, "no"),
    "CONSENT_EXPIRED": (410, "no"),
    "CONFIRM_REQUIRED": (412, "no"),
    "PAYLOAD_TOO_LARGE": (413, "no"),
    "METHOD_FAILED": (422, "yes"),
    "METHOD_TRAPPED": (422, "yes"),
    "ARGS_INVALID": (422, "no"),
    "HASH_MISMATCH": (422, "no"),
    "PACKAGE_INVALID": (422, "no"),
    "OPERATOR_SIGNATURE_REQUIRED": (428, "no"),
    "RATE_LIMITED": (429, "no"),
    "INTERNAL": (500, "unknown"),
    "UNAVAILABLE": (503, "no"),
    "DRAINING": (503, "no"),
    "OVERLOADED": (503, "no"),
    "NOT_LEADER": (503, "no"),
    "BEHIND": (503, "no"),
    "SYNCING": (503, "no"),
    "TIMEOUT": (504, "unknown"),
  ]
}
