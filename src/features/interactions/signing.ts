import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Secrets } from '../../database/secrets.ts'

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * An application's key, which signs what it is sent. Derived from a secret, so it stays the same as long as the
 * installation exists.
 */
function keyOf({ interactions }: Pick<Secrets, 'interactions'>, applicationId: number): KeyObject {
  const seed = createHmac('sha256', interactions).update(`application ${applicationId}`).digest()
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

/** The public key with which an application verifies requests of this installation: 32 bytes, hexadecimal. */
export function publicKeyOf(secrets: Pick<Secrets, 'interactions'>, applicationId: number): string {
  const { x = '' } = createPublicKey(keyOf(secrets, applicationId)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

/**
 * The headers that sign a request to an application: Ed25519 over the timestamp and the body.
 * @param nowS seconds since the epoch
 */
export function signatureHeaders(
  secrets: Pick<Secrets, 'interactions'>,
  applicationId: number,
  body: Buffer,
  nowS: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowS))
  const signature = sign(null, Buffer.concat([Buffer.from(timestamp), body]), keyOf(secrets, applicationId))
  return { 'X-Signature-Ed25519': signature.toString('hex'), 'X-Signature-Timestamp': timestamp }
}
