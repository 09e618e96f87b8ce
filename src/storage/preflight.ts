import { S3Error } from './s3-errors.ts'

const PREFLIGHT_SECONDS = 600
const ALLOWED_HEADERS =
  'content-type, content-md5, range, if-range, if-match, if-none-match, if-modified-since, if-unmodified-since, ' +
  'x-request-id'

/** Answers a CORS preflight of the embedded store. */
export function preflight(request: Request): Response {
  if (!request.headers.has('access-control-request-method')) throw new S3Error('MethodNotAllowed')
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      'cache-control': 'no-store',
    },
  })
}
