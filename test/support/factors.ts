import { expect } from 'bun:test'
import * as OTPAuth from 'otpauth'
import { type Answer, call, PASSWORD, type Person } from './harness.ts'

/** An account with an authenticator app. */
export interface App {
  secret: string
  recovery_codes: string[]
}

/** The code of an app, by a library that the server does not use. @param steps time steps from now */
export const codeOf = (secret: string, steps = 0): string =>
  new OTPAuth.TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Forgets which time steps were taken, so that a test does not wait for the next one. */
export const nextStep = (who: Person): Promise<unknown> =>
  who.parley.parts.sql`update totp set last_step = 0 where user_id = ${who.id}`

/** Proves by the password. */
export async function prove(who: Person): Promise<void> {
  expect((await who.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
}

/** Makes the sessions of the account proven, whatever it could prove by. */
export const prepareProof = (who: Person): Promise<unknown> =>
  who.parley.parts.sql`update sessions set proven_at = now() where user_id = ${who.id}`

/** Exports what the account owns, as a proven session may. */
export async function exportOf<T = any>(who: Person): Promise<Answer<T>> {
  await prepareProof(who)
  return who.get('/api/auth/export')
}

/** Takes the proof of every session of the account back. */
export const unprove = (who: Person): Promise<unknown> =>
  who.parley.parts.sql`update sessions set proven_at = null where user_id = ${who.id}`

/** Removes a passkey, which notifies the account's sessions. */
export async function removePasskey(who: Person): Promise<void> {
  const row = { user_id: who.id, credential_id: crypto.randomUUID(), public_key: Buffer.alloc(1), sign_count: 0 }
  const { sql } = who.parley.parts
  const [{ id }] = await sql<[{ id: number }]>`
    insert into passkeys ${sql({ ...row, transports: [], name: 'Phone' })} returning id`
  await prove(who)
  expect((await who.delete(`/api/auth/passkeys/${id}`)).status).toBe(204)
}

/** Turns an authenticator app on; the session is proven then. */
export async function turnOn(who: Person): Promise<App> {
  await prove(who)
  const response = await who.post('/api/auth/totp')
  expect(response.status).toBe(201)
  const { secret } = response.body
  const confirmed = await who.post('/api/auth/totp/confirm', { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  await nextStep(who)
  return { secret, recovery_codes: confirmed.body.recovery_codes }
}

/** Begins a login: its token. */
export async function begin({ parley, username }: Person): Promise<string> {
  const answer = await call(parley, 'POST', '/api/auth/login', { body: { username, password: PASSWORD } })
  expect([answer.status, answer.body.code]).toEqual([401, 'second_factor_required'])
  return answer.body.pending_token
}

/** Takes the second step of a login. */
export const second = ({ parley }: Person, pending_token: string, proof: object) =>
  call(parley, 'POST', '/api/auth/login/second', { body: { pending_token, ...proof } })
