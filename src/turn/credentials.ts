import { createHmac, timingSafeEqual } from 'node:crypto'
import { formatAddress, ipText, parseIp, V6 } from './protocol/addresses.ts'
import type { IceServer } from './model.ts'

/** How long credentials may be used to allocate. */
export const CREDENTIAL_SECONDS = 12 * 3600
/** What the keys of long-term credentials are bound to (RFC 8489 §9.2). */
export const REALM = 'parley'
/** RFC 8656 §5 leaves it to the server; a client with an older nonce is told to take a new one (438). */
const NONCE_SECONDS = 600
const NONCE_TIME_HEX = 8
const NONCE_PROOF_HEX = 24

/** What the ice servers are made of: where TURN listens, and what signs its credentials. */
export interface TurnAddress {
  secret: string
  port: number
  /** Absent without a certificate. */
  tls_port: number | undefined
  /** What is announced instead of the host by which the client has reached us. */
  host: string | undefined
}

/** Knows where TURN listens; nowhere while it does not run. */
interface TurnPlace {
  address(): TurnAddress | undefined
}

/** The password of a username: draft-uberti-behave-turn-rest-00 §2.2, as coturn's `use-auth-secret`. */
export const passwordOf = (secret: string, username: string): string =>
  createHmac('sha1', secret).update(username).digest('base64')

/** Username `expiry:user_id` and its password. */
export function credentialsFor(secret: string, user_id: number, now_s: number) {
  const expires_s = Math.floor(now_s) + CREDENTIAL_SECONDS
  const username = `${expires_s}:${user_id}`
  return { username, credential: passwordOf(secret, username), expires_s }
}

/** What a username of ours says; undefined for any other. */
export function readUsername(username: string): { expires_s: number; user_id: number } | undefined {
  const [, expires, id] = /^([0-9]{1,12}):([1-9][0-9]{0,15})$/.exec(username) ?? []
  return expires === undefined ? undefined : { expires_s: Number(expires), user_id: Number(id) }
}

/**
 * The `iceServers` of an RTCPeerConnection: STUN, and TURN over every transport with credentials of the account.
 * @param base the origin by which the client has reached us; its host is where TURN is, unless another is announced
 */
export function iceServers(turn: TurnPlace, user_id: number, base: string, now_s: number): IceServer[] {
  const address = turn.address()
  if (!address) return []
  const host = hostOf(address, base)
  const { username, credential } = credentialsFor(address.secret, user_id, now_s)
  const place = `${host}:${address.port}`
  const urls = [`turn:${place}?transport=udp`, `turn:${place}?transport=tcp`]
  if (address.tls_port !== undefined) urls.push(`turns:${host}:${address.tls_port}?transport=tcp`)
  return [{ urls: [`stun:${place}`] }, { urls, username, credential }]
}

function hostOf({ host }: TurnAddress, base: string): string {
  if (host === undefined) return new URL(base).hostname
  const ip = parseIp(host)
  return ip && formatAddress(ip, 0).family === V6 ? `[${ipText(ip)}]` : host
}

/**
 * Nonces that need no memory: the time, and a proof of it for one client address. RFC 8489 §9.2.4 asks that a nonce
 * be good for the client to which it was given.
 */
export function openNonces(key: Uint8Array) {
  const proof = (time: string, client: string) =>
    createHmac('sha256', key).update(time).update(client).digest('hex').slice(0, NONCE_PROOF_HEX)
  return {
    make(client: string, now_s: number): string {
      const time = Math.floor(now_s).toString(16).padStart(NONCE_TIME_HEX, '0')
      return time + proof(time, client)
    },
    isGood(nonce: string, client: string, now_s: number): boolean {
      if (nonce.length !== NONCE_TIME_HEX + NONCE_PROOF_HEX || !/^[0-9a-f]+$/.test(nonce)) return false
      const time = nonce.slice(0, NONCE_TIME_HEX)
      const age_s = now_s - Number.parseInt(time, 16)
      if (age_s > NONCE_SECONDS || age_s < -1) return false
      return timingSafeEqual(Buffer.from(nonce.slice(NONCE_TIME_HEX)), Buffer.from(proof(time, client)))
    },
  }
}
export type Nonces = ReturnType<typeof openNonces>
