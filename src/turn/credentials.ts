import { createHmac } from 'node:crypto'
import { ipText, parseIp } from '../core/ip.ts'
import { transportAddress, V6 } from './protocol/addresses.ts'
import type { IceServer } from './model.ts'

/** How long credentials can be used for new allocations. */
export const CREDENTIAL_SECONDS = 12 * 3600
/** The realm of the long-term credentials (RFC 8489 §9.2). */
export const REALM = 'parley'

/** Address of the TURN server, and the secret that signs its credentials. */
export interface TurnAddress {
  secret: string
  port: number
  /** Undefined without a certificate. */
  tls_port: number | undefined
  /** The host to announce; by default the one that the client used to reach us. */
  host: string | undefined
}

/** The password of a username, by draft-uberti-behave-turn-rest-00 §2.2 (coturn's `use-auth-secret`). */
export const passwordOf = (secret: string, username: string): string =>
  createHmac('sha1', secret).update(username).digest('base64')

/** Issues a username `expiry:user_id` and its password. */
export function credentialsFor(secret: string, userId: number, nowS: number) {
  const expiresS = Math.floor(nowS) + CREDENTIAL_SECONDS
  const username = `${expiresS}:${userId}`
  return { username, credential: passwordOf(secret, username), expiresS }
}

/** Parses a username that the server issued; undefined for any other. */
export function readUsername(username: string): { expiresS: number; user_id: number } | undefined {
  const [, expires, id] = /^([0-9]{1,12}):([1-9][0-9]{0,15})$/.exec(username) ?? []
  return expires === undefined ? undefined : { expiresS: Number(expires), user_id: Number(id) }
}

/**
 * The `iceServers` of an RTCPeerConnection: STUN, and TURN over every transport with the account's credentials. Empty
 * while TURN does not run.
 * @param base the origin that the client used, whose host is announced by default
 */
export function iceServers(
  turn: { address(): TurnAddress | undefined },
  userId: number,
  base: string,
  nowS: number,
): IceServer[] {
  const address = turn.address()
  if (!address) return []
  const host = hostOf(address, base)
  const { username, credential } = credentialsFor(address.secret, userId, nowS)
  const hostPort = `${host}:${address.port}`
  const urls = [`turn:${hostPort}?transport=udp`, `turn:${hostPort}?transport=tcp`]
  if (address.tls_port !== undefined) urls.push(`turns:${host}:${address.tls_port}?transport=tcp`)
  return [{ urls: [`stun:${hostPort}`] }, { urls, username, credential }]
}

function hostOf({ host }: TurnAddress, base: string): string {
  if (host === undefined) return new URL(base).hostname
  const ip = parseIp(host)
  return ip && transportAddress(ip, 0).family === V6 ? `[${ipText(ip)}]` : host
}
