import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** Lifetime of a token. RFC 8292 §2 allows a day. */
const TOKEN_SECONDS = 12 * 3600
const CURVE = 'prime256v1'

/** Generates a P-256 private key: its scalar, base64url. */
export function newPushSecret(): string {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // getPrivateKey drops leading zeros.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
}

/** Identifies this server to push services (VAPID, RFC 8292). */
export class Vapid {
  /** The uncompressed point, base64url; browsers need it as applicationServerKey. */
  readonly public_key: string
  readonly #key: KeyObject

  /**
   * @param secret the scalar of the private key, base64url
   * @param contact a mailto: or https: URL at which push services reach the operator
   */
  constructor(
    secret: string,
    private readonly contact: string | undefined,
  ) {
    const pair = createECDH(CURVE)
    pair.setPrivateKey(Buffer.from(secret, 'base64url'))
    const point = pair.getPublicKey()
    this.public_key = point.toString('base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    this.#key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: secret, x, y }, format: 'jwk' })
  }

  /**
   * The Authorization header for an endpoint.
   * @param nowS seconds since the epoch
   */
  authorization(endpoint: URL, nowS: number): string {
    const claims = { aud: endpoint.origin, exp: Math.floor(nowS) + TOKEN_SECONDS, sub: this.contact }
    const signingInput = [{ typ: 'JWT', alg: 'ES256' }, claims].map(encodePart).join('.')
    const signature = sign('sha256', Buffer.from(signingInput), { key: this.#key, dsaEncoding: 'ieee-p1363' })
    return `vapid t=${signingInput}.${signature.toString('base64url')}, k=${this.public_key}`
  }
}

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
