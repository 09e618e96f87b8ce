/**
 * Every error code that a client can receive, with its HTTP status and title. REST answers, the gateway's `error`
 * objects and the documentation all use this table.
 */
export const errorCodes = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  bad_request: { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'A valid token is required' },
  invalid_credentials: { status: 401, title: 'Wrong account or password' },
  second_factor_required: { status: 401, title: 'A second factor is required' },
  login_expired: { status: 401, title: 'This login has expired; start again with your password' },
  invalid_code: { status: 401, title: 'Wrong or already used code' },
  invalid_passkey: { status: 401, title: 'This passkey is not accepted' },
  oidc_failed: { status: 401, title: 'The identity provider rejected this login' },
  token_expired: { status: 401, title: 'The token has expired' },
  token_revoked: { status: 401, title: 'The token has been revoked' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_for_bots: { status: 403, title: 'Bots may not do this' },
  not_for_guests: { status: 403, title: 'Guests may not do this' },
  guests_closed: { status: 403, title: 'Guests cannot join here at the moment' },
  missing_permission: { status: 403, title: 'A permission is missing' },
  automod_blocked: { status: 403, title: 'A rule of this server does not allow this' },
  proof_required: { status: 403, title: 'Confirm your identity first' },
  account_suspended: { status: 403, title: 'This account is suspended' },
  email_unverified: { status: 403, title: 'Confirm your e-mail address first' },
  cannot_contact: { status: 403, title: 'This account does not accept this from you' },
  csrf: { status: 403, title: 'The request does not come from an allowed origin' },
  joining_paused: { status: 403, title: 'Nobody can join this server for now' },
  banned: { status: 403, title: 'Banned from this server' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  username_taken: { status: 409, title: 'Username already taken' },
  email_taken: { status: 409, title: 'E-mail address already taken' },
  thread_exists: { status: 409, title: 'This message already has a thread' },
  channel_name_taken: { status: 409, title: 'Channel name already taken' },
  emoji_name_taken: { status: 409, title: 'Emoji name already taken' },
  owner_cannot_leave: { status: 409, title: 'The owner cannot leave; transfer or delete the server' },
  owns_servers: { status: 409, title: 'Transfer or delete your servers first' },
  already_requested: { status: 409, title: 'A request is already waiting for an answer' },
  already_friends: { status: 409, title: 'You are already friends' },
  blocked_by_you: { status: 409, title: 'You have blocked this account' },
  too_many_friends: { status: 409, title: 'Too many friends and requests' },
  too_many_blocks: { status: 409, title: 'Too many blocked accounts' },
  rules_changed: { status: 409, title: 'The rules have changed; read them again' },
  opens_channels: { status: 409, title: 'This opens channels to everybody; confirm them' },
  template_too_large: { status: 409, title: 'This server is too large for a template' },
  nonce_conflict: { status: 409, title: 'This nonce was used for another request' },
  too_many_servers: { status: 409, title: 'Too many servers' },
  too_many_applications: { status: 409, title: 'Too many applications' },
  too_many_groups: { status: 409, title: 'Too many groups' },
  too_many_participants: { status: 409, title: 'Too many participants' },
  too_many_overwrites: { status: 409, title: 'Too many overwrites for members in this channel' },
  too_many_channels: { status: 409, title: 'Too many channels' },
  too_many_categories: { status: 409, title: 'Too many categories' },
  already_attached: { status: 409, title: 'The file is already attached to a message' },
  upload_missing: { status: 409, title: 'The bytes have not been uploaded' },
  totp_on: { status: 409, title: 'An authenticator app is already set up' },
  passkey_taken: { status: 409, title: 'This passkey is already registered' },
  identity_taken: { status: 409, title: 'This identity belongs to another account' },
  identity_linked: { status: 409, title: 'An identity of this provider is already linked' },
  last_way_in: { status: 409, title: 'You need at least one way to log in' },
  too_many_passkeys: { status: 409, title: 'Too many passkeys' },
  too_many_uploads: { status: 409, title: 'Too many unfinished uploads' },
  too_many_bytes: { status: 409, title: 'No space left for this file' },
  too_many_reactions: { status: 409, title: 'Too many different reactions' },
  poll_ended: { status: 409, title: 'The poll has ended' },
  already_voted: { status: 409, title: 'You have already voted' },
  too_many_events: { status: 409, title: 'Too many events' },
  too_many_feeds: { status: 409, title: 'Too many calendar feeds' },
  event_full: { status: 409, title: 'This event is full' },
  signup_closed: { status: 409, title: 'Sign-ups are closed' },
  too_many_emoji: { status: 409, title: 'Too many custom emoji' },
  too_many_sounds: { status: 409, title: 'Too many sounds; delete one first' },
  too_many_stickers: { status: 409, title: 'Too many stickers; delete one first' },
  too_many_favourites: { status: 409, title: 'Too many kept pictures; remove one first' },
  too_many_webhooks: { status: 409, title: 'Too many webhooks' },
  too_many_pins: { status: 409, title: 'Too many pinned messages' },
  too_many_scheduled: { status: 409, title: 'Too many scheduled messages' },
  too_many_saved: { status: 409, title: 'Too many saved messages' },
  too_many_settings: { status: 409, title: 'Too many notification settings' },
  too_many_roles: { status: 409, title: 'Too many roles' },
  already_reported: { status: 409, title: 'There is already an open report about this' },
  already_decided: { status: 409, title: 'Somebody else has decided this report; open it again to decide anew' },
  too_many_reports: { status: 409, title: 'Too many open reports; wait until some are decided' },
  too_many_rules: { status: 409, title: 'Too many automod rules' },
  too_many_guests: { status: 409, title: 'Too many guests in this server' },
  name_taken: { status: 409, title: 'A member of this server already has this name' },
  too_many_invites: { status: 409, title: 'Too many live invites' },
  export_running: { status: 409, title: 'An export is already running' },
  backup_running: { status: 409, title: 'A backup is already running' },
  encryption_required: { status: 409, title: 'This call needs an app that encrypts it end to end' },
  encryption_unavailable: { status: 409, title: 'This installation does not encrypt calls' },
  stage_running: { status: 409, title: 'The stage has started already' },
  voice_room_full: { status: 409, title: 'The voice channel is full' },
  mail_unavailable: { status: 409, title: 'This server sends no mail' },
  invite_gone: { status: 410, title: 'The invite is expired, used up or deleted' },
  link_gone: { status: 410, title: 'The link has expired or was used' },
  interaction_gone: { status: 410, title: 'The interaction has expired, was answered, or belongs to another bot' },
  validation_failed: { status: 422, title: 'The request breaks a rule' },
  role_too_strong: { status: 422, title: 'A self-assignable role can only have what everyone starts with' },
  weak_password: { status: 422, title: 'The password is too weak' },
  upload_mismatch: { status: 422, title: 'The uploaded bytes differ from the announced ones' },
  picture_unreadable: { status: 422, title: 'The server cannot read this picture; choose a PNG, JPEG, WebP or GIF' },
  cannot_target_self: { status: 422, title: 'You cannot do this to yourself' },
  slowmode: { status: 429, title: 'Slowmode: wait before you send another message here' },
  pattern_too_costly: { status: 422, title: 'This pattern takes too long' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  storage_full: { status: 507, title: 'The server has no space left for new messages and files' },
  media_unavailable: { status: 503, title: 'No media server is available' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorCodes

/** True if a name, such as a constraint's, is an error code. */
export const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(errorCodes, name)

export const secondFactorMethods = ['code', 'recovery_code', 'passkey'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

/** A rule that the request breaks, and the field, such as `body.name`. */
export interface FieldError {
  path: string
  message: string
}

interface ProblemOptions {
  errors?: FieldError[]
  /** Seconds until a retry can succeed; also sent as Retry-After. */
  retry_after?: number
  headers?: Record<string, string>
  /** Only for `second_factor_required`: the token of the unfinished login, and the second factors it accepts. */
  pending?: PendingLogin
}

/** A login that waits for its second factor. */
export interface PendingLogin {
  pending_token: string
  methods: SecondFactorMethod[]
}

/** An RFC 9457 problem. Any code behind the edge may throw it; the edge turns it into the response. */
export class Problem extends Error {
  readonly status: number
  constructor(
    readonly code: ErrorCode,
    readonly detail: string = errorCodes[code].title,
    readonly options: ProblemOptions = {},
  ) {
    super(detail)
    this.status = errorCodes[code].status
  }

  /** The body of the answer; `request_id` is absent in a gateway error. */
  toBody(request_id?: string) {
    return {
      type: 'about:blank',
      title: errorCodes[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.detail,
      ...(request_id === undefined ? {} : { request_id }),
      ...(this.options.errors ? { errors: this.options.errors } : {}),
      ...(this.status === 429 && this.options.retry_after !== undefined
        ? { retry_after: this.options.retry_after }
        : {}),
      ...this.options.pending,
    }
  }

  /** The HTTP answer, with the headers that its status demands. */
  toResponse(request_id: string): Response {
    const headers = new Headers({ 'content-type': 'application/problem+json', ...this.options.headers })
    if (this.status === 401) headers.set('www-authenticate', 'Bearer')
    if (this.options.retry_after !== undefined) headers.set('retry-after', String(this.options.retry_after))
    return new Response(JSON.stringify(this.toBody(request_id)), { status: this.status, headers })
  }
}

/**
 * Returns the row, or refuses with the code. Queries select only rows that the caller may access, so a missing row is
 * also an access check.
 * @throws Problem `not_found`, or `code`
 */
export function found<T>(row: T | undefined | null, code: ErrorCode = 'not_found'): T {
  if (row === undefined || row === null) throw new Problem(code)
  return row
}

/** The server cannot start, or a command cannot go on. The message is one sentence for the operator. */
export class RefusesToBoot extends Error {}

/** Refuses to boot because of this setting. */
export const refuseToBoot =
  (name: string) =>
  (error: unknown): never => {
    throw new RefusesToBoot(`${name} is not usable: ${messageOf(error)}.`)
  }

/** Error code from the operating system, PostgreSQL or a driver, if any. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** True if a write failed for lack of space. 53100 is PostgreSQL's disk_full. */
export const isDiskFull = (error: unknown): boolean => ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')

/** The message of an error. Anything can be thrown, not only an Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Codes of every route that needs a token. */
export const TOKEN_CODES = [
  'unauthorized',
  'token_expired',
  'token_revoked',
  'csrf',
  'email_unverified',
  'not_for_bots',
  'not_for_guests',
] as const
/** Codes of every route that validates parameters, a query or a body. */
export const SHAPE_CODES = ['validation_failed'] as const
/** Codes of every route that reads a body. */
export const BODY_CODES = [...SHAPE_CODES, 'malformed_json', 'payload_too_large', 'unsupported_media_type'] as const
/** Codes of every route below a server or channel. Outsiders get `not_found`, as if it did not exist. */
export const PLACE_CODES = [...TOKEN_CODES, ...SHAPE_CODES, 'not_found', 'missing_permission'] as const
