import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from '../../core/same-secret.ts'

const STEP_SECONDS = 30
/** RFC 6238 §5.2: codes of one step before and after are accepted, for clocks that are slightly off. */
const STEPS_ASIDE = 1
const DIGITS = 6
/** RFC 4226 §4, R6: 160 bits. */
const SECRET_BYTES = 20
const NONCE_BYTES = 12
const TAG_BYTES = 16
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** Base32 without padding, RFC 4648 §6. Only for a multiple of 5 bytes. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

/** The content of the QR code for authenticator apps. Source: Google Authenticator, Key Uri Format. */
export function totpUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const period = `algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&${period}`
}

/** The code of a time step: RFC 4226 §5.3 with the step as the counter. */
function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/**
 * The time step of a code, among those that are acceptable now.
 * @param lastStep steps up to this one were used already
 * @param now milliseconds since the epoch
 * @returns undefined for a wrong code, or one that was used already
 */
export function stepOf(secret: Uint8Array, code: string, lastStep: number, now = Date.now()): number | undefined {
  const current = Math.floor(now / 1000 / STEP_SECONDS)
  let matchingStep: number | undefined
  for (let step = current - STEPS_ASIDE; step <= current + STEPS_ASIDE; step++) {
    const fits = isSameSecret(code, codeAt(secret, step))
    if (fits && step > lastStep) matchingStep ??= step
  }
  return matchingStep
}

const keyOf = (key: string): Buffer => createHmac('sha256', key).update('totp').digest()

/**
 * Encrypts a secret with AES-256-GCM: nonce, ciphertext, tag. The account's id is authenticated, so a row moved to
 * another account cannot be decrypted.
 * @param key the installation's secret `factors`
 */
export function seal(secret: Uint8Array, key: string, userId: number): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), nonce).setAAD(Buffer.from(String(userId)))
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts the output of `seal`.
 * @returns undefined if the key differs, because the backup was restored without secrets
 */
export function unseal(sealed: Uint8Array, key: string, userId: number): Buffer | undefined {
  const bytes = Buffer.from(sealed)
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(-TAG_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(key), nonce).setAAD(Buffer.from(String(userId)))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
