import { afterAll, expect, test } from 'bun:test'
import { shareStanding } from '../../../src/features/operator/standing.ts'
import { boot, call, type Person, PASSWORD, person, newServer, stop, until } from '../../support/harness.ts'
import { databaseOf, done } from '../../support/operator.ts'
import { persons } from '../../support/people.ts'
import { fromPage, promote, prove } from '../../support/operators.ts'
import { connect } from '../../support/socket.ts'
import { SPAWN_MS } from '../../support/spawned.ts'

const parley = await boot()
afterAll(() => stop(parley))
const { sql } = parley.parts
const here = databaseOf(parley)

/** One attempt of each kind; none may have an effect. */
const attempts = (target: Person, server_id: number): [method: string, path: string, body?: unknown][] => [
  ['GET', '/api/operator/accounts'],
  ['GET', `/api/operator/accounts/${target.id}`],
  ['PUT', `/api/operator/accounts/${target.id}/suspension`, { reason: 'spite' }],
  ['POST', `/api/operator/accounts/${target.id}/reset`],
  ['DELETE', `/api/operator/accounts/${target.id}/sessions`],
  ['DELETE', `/api/operator/accounts/${target.id}`],
  ['DELETE', `/api/operator/servers/${server_id}`],
  ['PUT', '/api/operator/registration', { chosen: 'closed' }],
  ['POST', '/api/operator/backups'],
  ['GET', '/api/operator/log'],
]

/** Everything that the attempts would change. */
const stateOf = (target: Person, server_id: number) => sql`select suspended_at, deleted_at, password_hash,
  (select count(*) from sessions where user_id = ${target.id}) as sessions,
  (select owner_id from servers where id = ${server_id}) as owner,
  (select count(*) from installation_settings) as settings, (select count(*) from backups) as backups,
  (select count(*) from admin_log) as entries from users where id = ${target.id}`

async function expectRefused(who: Person, target: Person, server_id: number, status: number, code: string) {
  const before = await stateOf(target, server_id)
  for (const [method, path, body] of attempts(target, server_id)) {
    const answer = await call(parley, method, path, { token: who.token, body })
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, status, code])
  }
  expect(await stateOf(target, server_id)).toEqual(before)
}

test('to an account that is no operator the page does not exist, with and without a proof', async () => {
  const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
  const { server_id } = await newServer(alice)
  await expectRefused(mallory, alice, server_id, 404, 'not_found')
  expect((await mallory.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  await expectRefused(mallory, alice, server_id, 404, 'not_found')
  expect((await mallory.put('/api/operator/registration', { chosen: 7 })).status).toBe(404)
})

test('an operator needs a proof of the same session, and a fresh one', async () => {
  const [alice, olga] = [await person(parley, 'alice'), await person(parley, 'olga')]
  const { server_id } = await newServer(alice)
  await sql`update users set operator_since = now() where id = ${olga.id}`
  await expectRefused(olga, alice, server_id, 403, 'proof_required')
  expect(await olga.post('/api/auth/proof', { password: 'Wrong-Horse-77!' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  await expectRefused(olga, alice, server_id, 403, 'proof_required')
  expect((await olga.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  expect((await olga.get('/api/operator/health')).status).toBe(200)
  const login = { username: olga.username, password: PASSWORD }
  const { token } = (await call(parley, 'POST', '/api/auth/login', { body: login })).body
  expect(await call(parley, 'GET', '/api/operator/health', { token })).toMatchObject({ status: 403 })
  await prove(olga.id, parley, 11)
  await expectRefused(olga, alice, server_id, 403, 'proof_required')
})

test(
  'an operator whose right is revoked does nothing more, though its session and socket stay open',
  async () => {
    const [alice, olga] = [await person(parley, 'alice'), await person(parley, 'olga')]
    const { server_id } = await newServer(alice)
    const output = await done(here, 'operator', olga.username)
    expect(output).toMatchObject({ id: olga.id, operator_since: expect.any(String) })
    await prove(olga.id, parley)
    const live = await connect(olga)
    expect((await olga.get('/api/operator/health')).status).toBe(200)
    expect(await done(here, 'operator', olga.username, '--revoke')).toMatchObject({ operator_since: null })
    const revoked = await sql`select action, target_id, changes from admin_log order by id desc limit 1`
    expect(revoked).toMatchObject([{ action: 'operator', target_id: olga.id }])
    await expectRefused(olga, alice, server_id, 404, 'not_found')
    expect((await olga.get('/api/auth/me')).body.operator_since).toBeNull()
    await live.settled()
    live.close()
  },
  SPAWN_MS,
)

test(
  'the right is revoked when acts under way have ended, and not before',
  async () => {
    const olga = await person(parley, 'olga')
    await promote(olga)
    let revoking: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await shareStanding(tx, olga.id)
      revoking = done(here, 'operator', olga.username, '--revoke')
      const isWaiting = async () =>
        (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted and objsubid = 2`).length > 0
      await until(isWaiting, SPAWN_MS / 2)
      expect((await sql`select operator_since from users where id = ${olga.id}`)[0]?.operator_since).toBeString()
    })
    await revoking
    expect((await sql`select operator_since from users where id = ${olga.id}`)[0]?.operator_since).toBeNull()
  },
  SPAWN_MS,
)

test(
  'a suspended operator is out, and stays out after a restore until a new proof',
  async () => {
    const [alice, olga] = [await person(parley, 'alice'), await person(parley, 'olga')]
    const { server_id } = await newServer(alice)
    await promote(olga)
    await done(here, 'suspend', String(olga.id), '--reason', 'lost laptop', '--yes')
    await expectRefused(olga, alice, server_id, 401, 'token_revoked')
    await done(here, 'restore', String(olga.id))
    const login = { username: olga.username, password: PASSWORD }
    const { token } = (await call(parley, 'POST', '/api/auth/login', { body: login })).body
    const answer = await call(parley, 'GET', '/api/operator/health', { token })
    expect(answer).toMatchObject({ status: 403, body: { code: 'proof_required' } })
  },
  SPAWN_MS,
)

test('accounts act on no operator, itself included; nor on the server of another one', async () => {
  const [olga, otto] = [await person(parley, 'olga'), await person(parley, 'otto')]
  const [own, other] = [await newServer(olga), await newServer(otto)]
  for (const who of [olga, otto]) await promote(who)
  for (const target of [olga, otto])
    for (const [method, rest, body] of [
      ['PUT', '/suspension', { reason: 'spite' }],
      ['DELETE', '/suspension'],
      ['POST', '/reset'],
      ['DELETE', '/sessions'],
      ['DELETE', ''],
    ] as const) {
      const path = `/api/operator/accounts/${target.id}${rest}`
      const answer = await call(parley, method, path, { token: olga.token, body })
      expect([rest, answer.status, answer.body.code]).toEqual([rest, 403, 'forbidden'])
    }
  expect((await olga.delete(`/api/operator/servers/${other.server_id}`)).status).toBe(403)
  expect((await olga.delete(`/api/operator/servers/${own.server_id}`)).status).toBe(204)
})

test('an operator cannot end an invite of another operator, or one of the other’s server', async () => {
  const [olga, otto, alice] = await persons(parley, 'olga', 'otto', 'alice')
  const [theirs, hers] = [await newServer(otto, alice), await newServer(alice, otto)]
  const createInvite = async (who: Person, server_id: number) => (await who.post('/api/invites', { server_id })).body
  const invites = [
    await createInvite(otto, theirs.server_id),
    await createInvite(alice, theirs.server_id),
    await createInvite(otto, hers.server_id),
  ]
  const free = await createInvite(alice, hers.server_id)
  for (const who of [olga, otto]) await promote(who)
  for (const { id } of invites) expect((await olga.delete(`/api/operator/invites/${id}`)).body.code).toBe('forbidden')
  const live = await sql`select id from invites where id = any(${invites.map(({ id }) => id)}) and deleted_at is null`
  expect(live.length).toBe(invites.length)
  expect((await olga.delete(`/api/operator/invites/${free.id}`)).status).toBe(204)
  expect((await otto.delete(`/api/operator/invites/${invites[0].id}`)).status).toBe(204)
  // An operator sees invites without codes, so they let nobody in.
  const listed = await olga.get('/api/operator/invites')
  for (const { code } of invites) expect(JSON.stringify(listed.body)).not.toContain(code)
})

test('another site’s page does nothing by the cookie of an operator', async () => {
  const [alice, olga] = [await person(parley, 'alice'), await person(parley, 'olga')]
  await promote(olga)
  const path = `/api/operator/accounts/${alice.id}/suspension`
  const foreign = await fromPage(olga, 'https://mallory.example', 'PUT', path, { reason: 'spite' })
  expect([foreign.status, foreign.body.code]).toEqual([403, 'csrf'])
  const proof = await fromPage(olga, 'https://mallory.example', 'POST', '/api/auth/proof', { password: PASSWORD })
  expect([proof.status, proof.body.code]).toEqual([403, 'csrf'])
  expect((await alice.get('/api/auth/me')).status).toBe(200)
  expect((await fromPage(olga, parley.url, 'PUT', path, { reason: 'spam' })).status).toBe(200)
})

test('hostile sizes and shapes are refused and change nothing', async () => {
  const [alice, olga] = [await person(parley, 'alice'), await person(parley, 'olga')]
  await promote(olga)
  const suspension = `/api/operator/accounts/${alice.id}/suspension`
  const hostile: [string, string, unknown, number][] = [
    ['PUT', suspension, { reason: 'x'.repeat(501) }, 422],
    ['PUT', suspension, { reason: 'x'.repeat(300_000) }, 413],
    ['PUT', suspension, { reason: 'a\u0301'.repeat(20) + '\u0301'.repeat(200) }, 422],
    ['PUT', suspension, { reason: 'x', more: 1 }, 422],
    ['PUT', suspension, '{"reason":', 400],
    ['PUT', '/api/operator/registration', { chosen: 'anyone' }, 422],
    ['POST', '/api/auth/proof', { password: 'x'.repeat(2000) }, 422],
    ['GET', `/api/operator/accounts?q=${'x'.repeat(255)}`, undefined, 422],
    ['GET', '/api/operator/accounts?limit=101', undefined, 422],
    ['GET', '/api/operator/accounts?before=5&after=3', undefined, 422],
    ['GET', '/api/operator/accounts/1e3', undefined, 422],
    ['GET', '/api/operator/accounts/9007199254740991', undefined, 404],
    ['GET', '/api/operator/samples?span=century', undefined, 422],
    ['DELETE', `/api/operator/accounts/${alice.id}/sessions/1`, undefined, 404],
  ]
  for (const [method, path, body, status] of hostile) {
    const answer = await call(parley, method, path, { token: olga.token, body })
    expect([method, path.slice(0, 60), answer.status]).toEqual([method, path.slice(0, 60), status])
  }
  expect((await alice.get('/api/auth/me')).status).toBe(200)
})
