import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { S3Error } from './s3-errors.ts'

// AWS Signature Version 4 for S3, from the specification: "Authenticating Requests (AWS Signature Version 4)" in the
// Amazon S3 API Reference. This file only verifies; the SDK signs.
const ALGORITHM = 'AWS4-HMAC-SHA256'
const UNSIGNED = 'UNSIGNED-PAYLOAD'
const SKEW_SECONDS_MAX = 15 * 60
const EXPIRES_SECONDS_MAX = 604_800

export interface SigningKey {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** The signed parts of a request. */
interface Signable {
  method: string
  /** Decoded segments of the path. */
  path: string[]
  /** Decoded parameters, each once. */
  query: ReadonlyMap<string, string>
  headers: Headers
  /** The hosts that the client may have signed for. */
  hosts: string[]
}

/** The parameters of a signature. */
interface SignatureClaim {
  credential: string
  signedHeaders: string
  signature: string
  /** `20130524T000000Z` */
  date: string
  payload: string
  /** Seconds; undefined for a signature in the Authorization header. */
  expiresS?: number
}

/** The parts covered by a valid signature. */
export interface Verified {
  /** SHA-256 of the body in hex; undefined if the signature does not cover the body. */
  bodySha256: string | undefined
  /** Seconds until the URL expires; undefined for a signature in the header. */
  remainingS: number | undefined
}

/**
 * Verifies the signature of a presigned URL or of the Authorization header.
 * @param now milliseconds since 1970
 * @throws S3Error if it is invalid
 */
export function verifySignature(request: Signable, key: SigningKey, now: number): Verified {
  const { headers, query } = request
  const authorization = headers.get('authorization')
  const isPresigned = query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature')
  if (!isPresigned && authorization === null) throw new S3Error('AccessDenied')
  if (isPresigned && authorization !== null) throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed')
  const claim = isPresigned ? readQuery(query) : readHeader(authorization ?? '', headers)

  const remainingS = checkTime(claim, now)
  checkCredential(claim, key)
  const names = checkSignedHeaders(claim.signedHeaders, headers)
  const signature = Buffer.from(claim.signature, 'hex')
  const matches = request.hosts.filter((host) => timingSafeEqual(signature, sign(request, claim, names, host, key)))
  if (matches.length === 0) throw new S3Error('SignatureDoesNotMatch')

  if (claim.payload.startsWith('STREAMING-')) throw new S3Error('NotImplemented', 'aws-chunked is not implemented')
  const hasDigest = /^[0-9a-f]{64}$/.test(claim.payload)
  if (!hasDigest && claim.payload !== UNSIGNED)
    throw new S3Error('InvalidArgument', 'x-amz-content-sha256 is not usable')
  return { bodySha256: hasDigest ? claim.payload : undefined, remainingS }
}

function readQuery(query: ReadonlyMap<string, string>): SignatureClaim {
  const malformedError = (parameter: string) =>
    new S3Error('AuthorizationQueryParametersError', `${parameter} is missing or malformed`)
  const readParameter = (name: string, pattern: RegExp) => {
    const value = query.get(name)
    if (value === undefined || !pattern.test(value)) throw malformedError(name)
    return value
  }
  readParameter('X-Amz-Algorithm', new RegExp(`^${ALGORITHM}$`))
  const expiresS = Number(readParameter('X-Amz-Expires', /^\d{1,6}$/))
  if (expiresS < 1 || expiresS > EXPIRES_SECONDS_MAX) throw malformedError('X-Amz-Expires')
  return {
    credential: readParameter('X-Amz-Credential', /./),
    signedHeaders: readParameter('X-Amz-SignedHeaders', /./),
    signature: readParameter('X-Amz-Signature', /^[0-9a-f]{64}$/),
    date: readParameter('X-Amz-Date', /^\d{8}T\d{6}Z$/),
    payload: query.get('X-Amz-Content-Sha256') ?? UNSIGNED,
    expiresS,
  }
}

function readHeader(authorization: string, headers: Headers): SignatureClaim {
  const pattern = /^AWS4-HMAC-SHA256 +Credential=([^ ,]+), *SignedHeaders=([^ ,]+), *Signature=([0-9a-f]{64})$/
  const [, credential, signedHeaders, signature] = pattern.exec(authorization) ?? []
  if (!credential || !signedHeaders || !signature) throw new S3Error('AuthorizationHeaderMalformed')
  const date = headers.get('x-amz-date') ?? ''
  if (!/^\d{8}T\d{6}Z$/.test(date)) throw new S3Error('AccessDenied', 'A valid x-amz-date header is required')
  const payload = headers.get('x-amz-content-sha256')
  if (payload === null) throw new S3Error('InvalidArgument', 'Missing required header: x-amz-content-sha256')
  return { credential, signedHeaders, signature, date, payload }
}

/** The seconds until a presigned URL expires; undefined for a signature in the header. */
function checkTime({ date, expiresS }: SignatureClaim, now: number): number | undefined {
  const iso = date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const ageS = (now - Date.parse(iso)) / 1000
  if (Number.isNaN(ageS)) throw new S3Error('AccessDenied', 'The date is not a date')
  if (expiresS === undefined) {
    if (Math.abs(ageS) > SKEW_SECONDS_MAX) throw new S3Error('RequestTimeTooSkewed')
    return undefined
  }
  if (ageS < -SKEW_SECONDS_MAX) throw new S3Error('AccessDenied', 'Request is not yet valid')
  if (ageS >= expiresS) throw new S3Error('AccessDenied', 'Request has expired')
  return Math.min(expiresS, expiresS - ageS)
}

function checkCredential({ credential, date, expiresS }: SignatureClaim, key: SigningKey): void {
  // The access key id may contain slashes, the parts of the scope may not.
  const [, id, scope] = /^(.+?)\/(\d{8}\/[^/]+\/[^/]+\/[^/]+)$/.exec(credential) ?? []
  if (id !== undefined && id !== key.accessKeyId) throw new S3Error('InvalidAccessKeyId')
  if (scope === scopeOf(date, key)) return
  const code = expiresS === undefined ? 'AuthorizationHeaderMalformed' : 'AuthorizationQueryParametersError'
  throw new S3Error(code, 'The credential is malformed, or of another date, region or service')
}

/** Every x-amz header must be signed. Otherwise an added header could turn a presigned PUT into a copy. */
function checkSignedHeaders(list: string, headers: Headers): string[] {
  const names = list.split(';')
  const isCanonical = names.every(
    (name, at) => name === name.toLowerCase() && (at === 0 || name > (names[at - 1] ?? '')),
  )
  if (!isCanonical) throw new S3Error('SignatureDoesNotMatch', 'SignedHeaders is not lower-case, sorted and unique')
  const requiredNames = ['host', ...[...headers.keys()].filter((name) => name.startsWith('x-amz-'))]
  const unsignedNames = requiredNames.filter((name) => !names.includes(name))
  if (unsignedNames.length > 0)
    throw new S3Error('AccessDenied', `There were headers present which were not signed: ${unsignedNames.join(', ')}`)
  const absentNames = names.filter((name) => name !== 'host' && !headers.has(name))
  if (absentNames.length > 0) throw new S3Error('AccessDenied', `Signed headers are missing: ${absentNames.join(', ')}`)
  return names
}

const scopeOf = (date: string, { region }: SigningKey) => `${date.slice(0, 8)}/${region}/s3/aws4_request`
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
/** Encodes all except the unreserved characters of RFC 3986; encodeURIComponent leaves five more. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const byteOrder = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1)

function sign(request: Signable, claim: SignatureClaim, names: string[], host: string, key: SigningKey): Buffer {
  const query = [...request.query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .toSorted(byteOrder)
  const valueOf = (name: string) => (name === 'host' ? host : (request.headers.get(name) ?? ''))
  const canonical = [
    request.method,
    `/${request.path.map(encode).join('/')}`,
    query.map((pair) => pair.join('=')).join('&'),
    ...names.map((name) => `${name}:${valueOf(name).trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    claim.payload,
  ].join('\n')
  const scope = scopeOf(claim.date, key)
  const digest = createHash('sha256').update(canonical).digest('hex')
  const signingKey = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`)
  return hmac(signingKey, [ALGORITHM, claim.date, scope, digest].join('\n'))
}
