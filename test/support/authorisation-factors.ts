import { account, credentials, open, type Row } from './authorisation-rows.ts'
import { PASSWORD } from './harness.ts'

/** A browser's response for an unregistered passkey. */
const passkey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', attestationObject: 'AAAA' },
}

const withoutApp =
  (prepare: Row['prepare']): Row['prepare'] =>
  async (world, actor) => {
    await world.sql`delete from totp where user_id = ${actor.id}`
    return prepare(world, actor)
  }

/** Needs an account whose session is proven. */
const proven = (ok: number, prepare: Row['prepare']): Row => ({ ...account(ok, withoutApp(prepare)), proven: true })
const at =
  (path: string, body?: unknown): Row['prepare'] =>
  () => ({ path, body })

const ownPasskey =
  (body?: unknown): Row['prepare'] =>
  async ({ sql }, { id: user_id }) => {
    const row = { user_id, credential_id: crypto.randomUUID(), public_key: Buffer.alloc(1), sign_count: 0, name: 'Old' }
    const [{ id }] = await sql<[{ id: number }]>`
    insert into passkeys ${sql({ ...row, transports: [] })} returning id`
    return { path: `/api/auth/passkeys/${id}`, body }
  }
const ownIdentity: Row['prepare'] = async ({ sql }, { id: user_id }) => {
  const row = { user_id, issuer: `https://${crypto.randomUUID()}.example`, subject: crypto.randomUUID(), name: 'alice' }
  const [{ id }] = await sql<[{ id: number }]>`insert into identities ${sql(row)} returning id`
  return { path: `/api/auth/oidc/identities/${id}` }
}
const withApp =
  (prepare: Row['prepare']): Row['prepare'] =>
  async (world, actor) => {
    const ready = await prepare(world, actor)
    await world.sql`insert into totp (user_id, secret, confirmed_at) values (${actor.id}, '', now())`
    return ready
  }

/**
 * The rows of second factors, passkeys and proofs: everybody has their own. Some calls can only be refused here, since
 * what they need is not to be had by SQL; that they were let in as far says enough.
 */
export const FACTORS: Record<string, Row> = {
  // No invite has this code.
  'POST /api/auth/register/guest': open(404, () => ({
    path: '/api/auth/register/guest',
    body: { invite: '2222222222', display_name: 'Heron' },
  })),
  // The guest takes a name that is taken.
  'POST /api/auth/register/claim': {
    ...account(403, ({ owner: { username } }) => ({
      path: '/api/auth/register/claim',
      body: { ...credentials(), username },
    })),
    guest: 409,
  },
  'POST /api/auth/login/second/options': open(401, () => ({
    path: '/api/auth/login/second/options',
    body: { pending_token: 'none' },
  })),
  'POST /api/auth/login/second': open(401, () => ({
    path: '/api/auth/login/second',
    body: { pending_token: 'none', code: '123456' },
  })),
  'POST /api/auth/login/passkey/options': open(404, () => ({ path: '/api/auth/login/passkey/options' })),
  'POST /api/auth/login/passkey': open(401, () => ({ path: '/api/auth/login/passkey', body: { passkey } })),
  'GET /api/auth/factors': account(200, () => ({ path: '/api/auth/factors' })),
  'POST /api/auth/totp': proven(201, at('/api/auth/totp')),
  'POST /api/auth/totp/confirm': proven(404, at('/api/auth/totp/confirm', { code: '123456' })),
  'DELETE /api/auth/totp': proven(204, withApp(at('/api/auth/totp'))),
  'POST /api/auth/recovery-codes': proven(200, withApp(at('/api/auth/recovery-codes'))),
  'POST /api/auth/passkeys/options': proven(404, at('/api/auth/passkeys/options')),
  'POST /api/auth/passkeys': proven(404, at('/api/auth/passkeys', { name: 'Phone', passkey })),
  'GET /api/auth/passkeys': account(200, () => ({ path: '/api/auth/passkeys' })),
  'PUT /api/auth/passkeys/:passkey_id': proven(200, ownPasskey({ name: 'Phone' })),
  'DELETE /api/auth/passkeys/:passkey_id': proven(204, ownPasskey()),
  'GET /api/auth/oidc/start': open(404, () => ({ path: '/api/auth/oidc/start' })),
  'GET /api/auth/oidc/callback': open(404, () => ({ path: '/api/auth/oidc/callback' })),
  'POST /api/auth/oidc/link': account(404, () => ({ path: '/api/auth/oidc/link', body: {} })),
  'POST /api/auth/oidc/proof': account(404, () => ({ path: '/api/auth/oidc/proof', body: {} })),
  'GET /api/auth/oidc/identities': account(200, () => ({ path: '/api/auth/oidc/identities' })),
  'DELETE /api/auth/oidc/identities/:identity_id': proven(204, ownIdentity),
  'POST /api/auth/proof/options': account(404, () => ({ path: '/api/auth/proof/options' })),
  'POST /api/auth/proof': account(
    200,
    withoutApp(() => ({ path: '/api/auth/proof', body: { password: PASSWORD } })),
  ),
}
