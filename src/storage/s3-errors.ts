/** The errors of the embedded store, with S3's codes and messages, which every S3 client understands. */
const ERRORS = {
  AccessDenied: { status: 403, message: 'Access Denied' },
  AuthorizationHeaderMalformed: { status: 400, message: 'The authorization header is malformed.' },
  AuthorizationQueryParametersError: { status: 400, message: 'The query-string authentication is malformed.' },
  BadDigest: { status: 400, message: 'The Content-MD5 you specified did not match what we received.' },
  EntityTooLarge: { status: 400, message: 'Your proposed upload exceeds the maximum allowed size.' },
  IncompleteBody: { status: 400, message: 'The body does not have the length that Content-Length specifies.' },
  InternalError: { status: 500, message: 'We encountered an internal error. Please try again.' },
  InvalidAccessKeyId: { status: 403, message: 'The access key ID you provided does not exist in our records.' },
  InvalidArgument: { status: 400, message: 'Invalid Argument' },
  InvalidRange: { status: 416, message: 'The requested range is not satisfiable.' },
  InvalidURI: { status: 400, message: "Couldn't parse the specified URI." },
  KeyTooLongError: { status: 400, message: 'Your key is too long.' },
  MethodNotAllowed: { status: 405, message: 'The specified method is not allowed against this resource.' },
  MissingContentLength: { status: 411, message: 'You must provide the Content-Length HTTP header.' },
  NoSuchBucket: { status: 404, message: 'The specified bucket does not exist.' },
  NoSuchKey: { status: 404, message: 'The specified key does not exist.' },
  NotImplemented: { status: 501, message: 'What you asked for implies functionality that is not implemented.' },
  PreconditionFailed: { status: 412, message: 'At least one of the preconditions you specified did not hold.' },
  RequestTimeout: { status: 400, message: 'The socket was not read from or written to within the timeout period.' },
  RequestTimeTooSkewed: { status: 403, message: 'The difference between the request time and ours is too large.' },
  SignatureDoesNotMatch: { status: 403, message: 'The signature we calculated does not match the one you provided.' },
  StorageFull: { status: 507, message: 'There is no space to store the object.' },
  SlowDown: { status: 503, message: 'Please reduce your request rate.' },
  XAmzContentSHA256Mismatch: { status: 400, message: 'The x-amz-content-sha256 is not that of what we received.' },
} as const satisfies Record<string, { status: number; message: string }>

/** An error response of the embedded store. It never contains the string to sign. */
export class S3Error extends Error {
  readonly status: number
  constructor(
    readonly code: keyof typeof ERRORS,
    message: string = ERRORS[code].message,
    readonly headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = ERRORS[code].status
  }

  toResponse(): Response {
    const body = xml('Error', { Code: this.code, Message: this.message })
    return new Response(body, { status: this.status, headers: { 'content-type': 'application/xml', ...this.headers } })
  }
}

/** A flat XML document, the format of S3's responses. */
export function xml(root: string, fields: Record<string, string>): string {
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${Bun.escapeHTML(value)}</${name}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${inner.join('')}</${root}>`
}
