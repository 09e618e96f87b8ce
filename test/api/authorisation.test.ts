import { expect, test } from 'bun:test'
import { EVERYONE_PERMISSIONS, permissions, without } from '../../src/core/permissions.ts'
import { isClosedToBots } from '../../src/features/sessions/bots.ts'
import { isClosedToGuests } from '../../src/features/sessions/guests.ts'
import { type Actor, actors, type Expected, type Row, type World } from '../support/authorisation-rows.ts'
import { hook } from '../support/authorisation-webhooks.ts'
import { TABLE } from '../support/authorisation-table.ts'
import { call, Person, person, standard } from '../support/harness.ts'
import { passerBy, place, rank, session } from '../support/places.ts'
import { cleanUp } from '../support/deadlocks.ts'

const parley = await standard()
const { sql } = parley.parts
const named = [...actors.filter((actor) => actor !== 'anonymous' && actor !== 'webhook'), 'target'] as const
const people = Object.fromEntries(
  await Promise.all(named.map(async (name) => [name, await person(parley, name)] as const)),
) as Record<(typeof named)[number], Person>
const revoked = people.revoked.token
expect((await people.revoked.post('/api/auth/logout')).status).toBe(200)
for (const { id } of [people.bot, people.bot_elsewhere]) await sql`update users set kind = 'bot' where id = ${id}`
await sql`update users set operator_since = now() where id = ${people.operator.id}`

/** A server in which the row's bit decides: everyone lacks it, three ranks hold it. */
async function world({ bit }: Row): Promise<World> {
  const { owner, target, banned, plain, lower, holder, bot, higher } = people
  const home = await place(owner, people.revoked, target, plain, lower, holder, bot, higher)
  const { server_id, everyone } = home
  const bits = bit ? permissions(bit) : 0
  await sql`update roles set permissions = ${without(EVERYONE_PERMISSIONS, bits)} where id = ${everyone}`
  await sql`insert into bans ${sql({ server_id, user_id: banned.id })}`
  await rank(parley, server_id, bits, lower)
  const target_role = await rank(parley, server_id, 0, target)
  await rank(parley, server_id, bits, holder)
  await rank(parley, server_id, bits, bot)
  await rank(parley, server_id, bits, higher, people.revoked)
  return { ...home, sql, owner, target, target_role }
}

/** A member of the server that is a guest. */
async function guestIn({ server_id }: World): Promise<Person> {
  const guest = await passerBy(parley, 'guest')
  await sql`update users set kind = 'guest', guest_until = now() + interval '1 day', password_hash = null
    where id = ${guest.id}`
  await sql`insert into members ${sql({ server_id, user_id: guest.id, is_guest: true })}`
  await sql`insert into guests (user_id, server_id, address) values (${guest.id}, ${server_id}, '\\x00')`
  return guest
}

async function answeredGuest(method: string, row: Row, home: World): Promise<number> {
  const guest = await guestIn(home)
  const { path, body } = await row.prepare(home, guest)
  return (await call(parley, method, path, { token: guest.token, body })).status
}

async function answered(method: string, row: Row, home: World, actor: Actor): Promise<number> {
  const isNobody = actor === 'anonymous' || actor === 'webhook'
  const who = isNobody ? people.stranger : people[actor]
  const { path, body } = await row.prepare(home, who)
  // A session for each call, since a call may end it.
  const tokenOf = async () => {
    if (actor === 'webhook') return (await hook(home)).token
    return actor === 'revoked' ? revoked : actor === 'anonymous' ? undefined : session(parley, who.id)
  }
  const token = await tokenOf()
  if (row.proven || actor === 'operator') await sql`update sessions set proven_at = now() where user_id = ${who.id}`
  return (await call(parley, method, path, { token, body })).status
}

const needsNoToken = new Set(
  parley.routes
    .filter(({ hooks }) => hooks.detail?.security?.length === 0)
    .map(({ method, path }) => `${method} ${path}`),
)

test('the table has every route of the contract and no other', () => {
  const declared = parley.routes
    .filter(({ hooks }) => !hooks.detail?.hide)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(TABLE).toSorted()).toEqual([...new Set(declared)].toSorted())
})

for (const [route, row] of Object.entries(TABLE)) {
  test(`${route} answers each actor as the table says`, async () => {
    const home = await world(row)
    const [method = '', pattern = ''] = route.split(' ')
    const { path } = await row.prepare(home, people.owner)
    expect(path.split('?')[0]?.split('/').length).toBe(pattern.split('/').length)
    const statuses: Partial<Expected> = {}
    for (const actor of actors) statuses[actor] = await answered(method, row, home, actor)
    const refusedIf = (isClosed: boolean) => (isClosed && !needsNoToken.has(route) ? 403 : undefined)
    const refused = refusedIf(isClosedToBots(method, pattern))
    const { bot, bot_elsewhere, plain } = row.expected
    expect({ ...statuses, guest: await answeredGuest(method, row, home) }).toEqual({
      ...row.expected,
      bot: refused ?? bot,
      bot_elsewhere: refused ?? bot_elsewhere,
      guest: refusedIf(isClosedToGuests(method, pattern)) ?? row.guest ?? plain,
    })
    await cleanUp(() => sql`delete from servers where id = ${home.server_id}`)
  })
}

test('a forged or unsigned token opens nothing', async () => {
  const row = TABLE['GET /api/servers/:server_id'] as Row
  const { path } = await row.prepare(await world(row), people.owner)
  const [header, payload, signature] = people.owner.token.split('.')
  const none = btoa(JSON.stringify({ alg: 'none', typ: 'JWT' })).replaceAll('=', '')
  const forged = btoa(JSON.stringify({ sub: String(people.owner.id), sid: 1, ver: 1 })).replaceAll('=', '')
  for (const token of ['', 'x', `${none}.${payload}.`, `${header}.${forged}.${signature}`, `${header}.${payload}.`])
    expect((await call(parley, 'GET', path, { token })).status).toBe(401)
})
