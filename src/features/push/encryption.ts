import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'

/** Bytes of plain text that fit into one record of 4,096 bytes, with its delimiter and tag (RFC 8291 §4). */
export const PLAIN_BYTES_MAX = 3_993
const RECORD_BYTES = 4_096
/** Plain texts are padded to a multiple of this, so that their lengths reveal little to the push service. */
const PADDING_BYTES = 512

/** Keys of a subscription, base64url. */
export interface SubscriptionKeys {
  p256dh: string
  auth: string
}

/** Random values of each message; a test passes the RFC's. */
interface RandomValues {
  salt: Buffer
  /** The scalar of the sender's key. */
  secret?: Buffer
  padding: boolean
}

const hmac = (key: Buffer, ...data: Buffer[]): Buffer => {
  const mac = createHmac('sha256', key)
  for (const part of data) mac.update(part)
  return mac.digest()
}
/** HKDF with one block of output (RFC 5869). */
const derive = (salt: Buffer, secret: Buffer, info: Buffer, bytes: number): Buffer =>
  hmac(hmac(salt, secret), info, Buffer.from([1])).subarray(0, bytes)
const label = (text: string, ...more: Buffer[]): Buffer => Buffer.concat([Buffer.from(`${text}\0`), ...more])

/**
 * Encrypts a push message for a subscription, as the body of a request with `Content-Encoding: aes128gcm`. Source: RFC
 * 8291 §3.4, RFC 8188 §2.
 * @throws RangeError for a longer text; Error for invalid keys
 */
export function encryptPush(
  plain: Buffer,
  keys: SubscriptionKeys,
  { salt, secret, padding }: RandomValues = { salt: randomBytes(16), padding: true },
): Buffer {
  if (plain.length > PLAIN_BYTES_MAX) throw new RangeError('The push message is too long')
  const senderKey = createECDH('prime256v1')
  if (secret) senderKey.setPrivateKey(secret)
  else senderKey.generateKeys()
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const sharedSecret = senderKey.computeSecret(receiver)
  const point = senderKey.getPublicKey()
  const input = derive(Buffer.from(keys.auth, 'base64url'), sharedSecret, label('WebPush: info', receiver, point), 32)
  const key = derive(salt, input, label('Content-Encoding: aes128gcm'), 16)
  const nonce = derive(salt, input, label('Content-Encoding: nonce'), 12)
  const paddedLength = Math.min(Math.ceil((plain.length + 1) / PADDING_BYTES) * PADDING_BYTES, PLAIN_BYTES_MAX + 1)
  const record = Buffer.alloc(padding ? paddedLength : plain.length + 1)
  plain.copy(record)
  // A message's last record ends with the delimiter 2 and zeros.
  record[plain.length] = 2
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const ciphertext = Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head[4] = point.length
  return Buffer.concat([salt, head, point, ciphertext])
}
