import { expect, test } from 'bun:test'
import { EVERYONE_PERMISSIONS, type Permission, permissions, without } from '../../src/core/permissions.ts'
import { HeldBack } from '../../src/features/access/model.ts'
import type { Row, World } from '../support/authorisation-rows.ts'
import { TABLE } from '../support/authorisation-table.ts'
import { cleanUp } from '../support/deadlocks.ts'
import { call, person, type Person, standard } from '../support/harness.ts'
import { passerBy, place, rank, session } from '../support/places.ts'

const parley = await standard()
const { sql } = parley.parts
const [owner, target] = [await person(parley, 'owner'), await person(parley, 'target')]

/** Permissions that members keep while they are held back; an administrator is never held back. */
const STAYING = new Set<Permission | undefined>(['view_channel', 'read_history', 'administrator'])
/** Answers to members who are held back, where they are not those to a member without the row's permission. */
const DIFFERENT: Record<string, Partial<Record<HeldBack, number>>> = {
  'GET /api/users/:user_id/profile': { pending: 404, unverified: 404, quarantined: 404 },
  'PUT /api/events/:event_id/signup': { pending: 403, unverified: 403, quarantined: 403 },
  'PUT /api/messages/:message_id/poll/votes': { pending: 403, unverified: 403, quarantined: 403 },
  // Accepting the rules ends nothing but the wait for that.
  'PUT /api/servers/:server_id/members/@me/rules': { quarantined: 403 },
  'PUT /api/servers/:server_id/members/@me/onboarding': { pending: 403, unverified: 403, quarantined: 403 },
  'PUT /api/servers/:server_id/members/@me/roles/:role_id': { pending: 403, unverified: 403, quarantined: 403 },
  'DELETE /api/servers/:server_id/members/@me/roles/:role_id': { pending: 403, unverified: 403, quarantined: 403 },
}
/** Routes that concern the password, which the accounts of this test lack. */
const OF_PASSWORDS = ['DELETE /api/auth/me', 'PUT /api/auth/password', 'POST /api/auth/proof']
const ROWS = Object.entries(TABLE).filter(
  ([route, { expected }]) => expected.anonymous === 401 && !OF_PASSWORDS.includes(route),
)

/** A server in which one member has the row's bit, a rank above the target, and is held back. */
async function world({ bit }: Row, reason: HeldBack): Promise<[World, Person]> {
  const who = await passerBy(parley, reason)
  const home = await place(owner, target, who)
  const { server_id, everyone } = home
  const bits = bit ? permissions(bit) : 0
  await sql`update roles set permissions = ${without(EVERYONE_PERMISSIONS, bits)} where id = ${everyone}`
  const target_role = await rank(parley, server_id, 0, target)
  await rank(parley, server_id, bits, who)
  await sql`update members set held_back = ${reason} where server_id = ${server_id} and user_id = ${who.id}`
  return [{ ...home, sql, owner, target, target_role }, who]
}

for (const [route, row] of ROWS)
  test(`${route} gives members who are held back nothing that their roles would give`, async () => {
    const [method = ''] = route.split(' ')
    const answers: Record<string, number> = {}
    for (const reason of HeldBack.options) {
      const [home, who] = await world(row, reason)
      const { path, body } = await row.prepare(home, who)
      const token = await session(parley, who.id)
      if (row.proven) await sql`update sessions set proven_at = now() where user_id = ${who.id}`
      answers[reason] = (await call(parley, method, path, { token, body })).status
      await cleanUp(() => sql`delete from servers where id = ${home.server_id}`)
    }
    const usual = STAYING.has(row.bit) ? row.expected.holder : row.expected.plain
    expect(answers).toEqual({ pending: usual, unverified: usual, quarantined: usual, ...DIFFERENT[route] })
  })
