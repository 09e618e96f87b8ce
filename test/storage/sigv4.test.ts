import { describe, expect, test } from 'bun:test'
import { readRange } from '../../src/storage/byte-range.ts'
import { S3Error } from '../../src/storage/s3-errors.ts'
import { verifySignature } from '../../src/storage/sigv4.ts'

const key = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const HOST = 'examplebucket.s3.amazonaws.com'
const DATE = '20130524T000000Z'
const NOW = Date.UTC(2013, 4, 24)
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const SCOPE = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'

interface Example {
  method: string
  path: string[]
  query?: Record<string, string>
  headers?: Record<string, string>
  payload?: string
  signedHeaders?: string
  signature: string
}

const byHeader = ({ method, path, query = {}, headers = {}, payload = EMPTY, ...signed }: Example) => ({
  method,
  path,
  query: new Map(Object.entries(query)),
  headers: new Headers({
    ...headers,
    'x-amz-date': DATE,
    'x-amz-content-sha256': payload,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${SCOPE},` +
      `SignedHeaders=${signed.signedHeaders ?? 'host;x-amz-content-sha256;x-amz-date'},Signature=${signed.signature}`,
  }),
  hosts: [HOST],
})

// "Examples: Signature Calculations in AWS Signature Version 4", Amazon S3 API Reference.
const examples: Record<string, Example> = {
  'GET Object': {
    method: 'GET',
    path: ['test.txt'],
    headers: { range: 'bytes=0-9' },
    signedHeaders: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  'PUT Object': {
    method: 'PUT',
    path: ['test$file.text'],
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    payload: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    signedHeaders: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  'GET Bucket Lifecycle': {
    method: 'GET',
    path: [''],
    query: { lifecycle: '' },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  'GET Bucket (List Objects)': {
    method: 'GET',
    path: [''],
    query: { prefix: 'J', 'max-keys': '2' },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
}

const presigned = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) => ({
  method: 'GET',
  path: ['test.txt'],
  query: new Map(
    Object.entries({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': SCOPE,
      'X-Amz-Date': DATE,
      'X-Amz-Expires': '86400',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
      ...changes,
    }),
  ),
  headers: new Headers(headers),
  hosts: [HOST],
})

const errorCode = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return error instanceof S3Error ? error.code : String(error)
  }
  return 'accepted'
}
const verify = (request: Parameters<typeof verifySignature>[0], now = NOW) =>
  errorCode(() => verifySignature(request, key, now))

describe('the examples of the specification', () => {
  for (const [name, example] of Object.entries(examples)) {
    test(`${name} is accepted, and refused after any change`, () => {
      const request = byHeader(example)
      const bodySha256 = example.payload ?? EMPTY
      expect(verifySignature(request, key, NOW)).toEqual({ bodySha256, remainingS: undefined })
      for (const change of [
        { method: 'DELETE' },
        { path: ['test.txt', ''] },
        { query: new Map([...request.query, ['acl', '']]) },
        { hosts: ['example.org'] },
        { headers: new Headers([...request.headers, ['x-amz-content-sha256', EMPTY.replace('e', 'f')]]) },
      ])
        expect(verify({ ...request, ...change })).toBe('SignatureDoesNotMatch')
      expect(errorCode(() => verifySignature(request, { ...key, secretAccessKey: 'x' }, NOW))).toBe(
        'SignatureDoesNotMatch',
      )
      expect(errorCode(() => verifySignature(request, { ...key, accessKeyId: 'x' }, NOW))).toBe('InvalidAccessKeyId')
      const elsewhere = { ...key, region: 'eu-central-1' }
      expect(errorCode(() => verifySignature(request, elsewhere, NOW))).toBe('AuthorizationHeaderMalformed')
    })
  }

  test('the presigned URL is accepted under each host of the store', () => {
    const request = { ...presigned(), hosts: ['localhost:3000', HOST] }
    expect(verifySignature(request, key, NOW + 400_000)).toEqual({ bodySha256: undefined, remainingS: 86_000 })
    expect(verify({ ...request, hosts: ['localhost:3000'] })).toBe('SignatureDoesNotMatch')
    expect(verify({ ...request, hosts: [] })).toBe('SignatureDoesNotMatch')
  })
})

test('a signature in the header is valid for 15 minutes before and after its date', () => {
  const request = byHeader(examples['GET Object'] as Example)
  expect(verify(request, NOW + 900_000)).toBe('accepted')
  expect(verify(request, NOW - 900_000)).toBe('accepted')
  expect(verify(request, NOW + 901_000)).toBe('RequestTimeTooSkewed')
  expect(verify(request, NOW - 901_000)).toBe('RequestTimeTooSkewed')
})

test('a presigned URL is valid from 15 minutes before its date until it expires', () => {
  expect(verify(presigned(), NOW + 86_399_999)).toBe('accepted')
  expect(verify(presigned(), NOW + 86_400_000)).toBe('AccessDenied')
  expect(verify(presigned(), NOW - 900_000)).toBe('accepted')
  expect(verify(presigned(), NOW - 901_000)).toBe('AccessDenied')
})

test('a presigned URL with a missing or malformed parameter is refused', () => {
  const bad = { ...presigned() }
  for (const name of bad.query.keys()) {
    const query = new Map(bad.query)
    query.delete(name)
    const expected = name === 'X-Amz-Algorithm' ? /Parameters/ : /Parameters|AccessDenied/
    expect(verify({ ...bad, query })).toMatch(expected)
  }
  for (const expires of ['0', '-1', '604801', '1e3', '60.5', ' 60', '', '99999999999'])
    expect(verify(presigned({ 'X-Amz-Expires': expires }))).toBe('AuthorizationQueryParametersError')
  for (const date of ['20130524', '20130524T000000', '20130524T000000Zx', '2013-05-24T00:00:00Z'])
    expect(verify(presigned({ 'X-Amz-Date': date }))).toBe('AuthorizationQueryParametersError')
  expect(verify(presigned({ 'X-Amz-Date': '20131324T000000Z' }))).toBe('AccessDenied')
  // The date of the credential must be the date of the request.
  expect(verify(presigned({ 'X-Amz-Date': '20130523T235959Z' }))).toBe('AuthorizationQueryParametersError')
  for (const credential of [SCOPE.slice(0, -1), `x/${SCOPE}`, 'AKIAIOSFODNN7EXAMPLE', `${SCOPE}/`])
    expect(verify(presigned({ 'X-Amz-Credential': credential }))).not.toBe('accepted')
  for (const names of ['Host', 'x;host', 'host;host', 'range', 'host;', ';host'])
    expect(verify(presigned({ 'X-Amz-SignedHeaders': names }))).not.toBe('accepted')
  for (const signature of ['', 'ae', 'AEEED9BBCCD4D02EE5C0109B86D86835F995330DA4C265957D157751F604D404'])
    expect(verify(presigned({ 'X-Amz-Signature': signature }))).toBe('AuthorizationQueryParametersError')
})

test('x-amz headers must be signed, and two signatures are refused', () => {
  expect(verify(presigned({}, { 'x-amz-copy-source': '/parley/secret' }))).toBe('AccessDenied')
  expect(verify(presigned({}, { 'x-amz-acl': 'public-read' }))).toBe('AccessDenied')
  expect(verify(presigned({ 'X-Amz-SignedHeaders': 'content-type;host' }))).toBe('AccessDenied')
  expect(verify(presigned({}, { authorization: 'Bearer x' }))).toBe('InvalidArgument')
  expect(verify({ ...presigned(), query: new Map() })).toBe('AccessDenied')
  const { headers, ...request } = byHeader(examples['GET Object'] as Example)
  for (const authorization of ['', 'Bearer x', 'AWS AKIA:abc', `${headers.get('authorization')}0`])
    expect(verify({ ...request, headers: new Headers({ authorization }) })).toBe('AuthorizationHeaderMalformed')
})

test('a Range header is read by RFC 9110', () => {
  const table: [string | null, number, ReturnType<typeof readRange>][] = [
    [null, 10, 'whole'],
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['bytes=2-5', 10, { start: 2, end: 5 }],
    ['BYTES=2-', 10, { start: 2, end: 9 }],
    ['bytes=5-99999999999999999999999', 10, { start: 5, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-99', 10, { start: 0, end: 9 }],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, 'unsatisfiable'],
    // A malformed header, another unit or several ranges are ignored.
    ...[
      'bytes=5-2',
      'bytes=-',
      'bytes=',
      'bytes=a-b',
      'bytes=1-2,4-5',
      'lines=1-2',
      'bytes 1-2',
      'bytes=--1',
      '0-1',
    ].map((header): [string, number, 'whole'] => [header, 10, 'whole']),
  ]
  for (const [header, size, expected] of table) expect(readRange(header, size)).toEqual(expected)
})
