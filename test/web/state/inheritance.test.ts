import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Pick, seeded } from '../../support/happenings.ts'
import { type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { StoreClient } from '../../support/store-client.ts'

const parley = await standard()
const { sql } = parley.parts
const STEPS = 20

/** A server of alice's with two categories, three channels, and two roles: bob has one and carol both. */
async function birds() {
  const people = await passersBy(parley, 'alice', 'bob', 'carol')
  const [alice, bob, carol] = people as [Person, Person, Person]
  const { server_id, channel_id, everyone } = await place(alice, bob, carol)
  const roles = [everyone, await rank(parley, server_id, 0, bob, carol), await rank(parley, server_id, 0, carol)]
  const make = async (draft: object): Promise<number> =>
    (await alice.post(`/api/servers/${server_id}/channels`, draft)).body.id
  const categories = [await make({ name: 'north', type: 'category' }), await make({ name: 'south', type: 'category' })]
  const channels = [channel_id]
  for (const name of ['auk', 'owl']) channels.push(await make({ name, type: 'text', parent_id: categories[0] }))
  return { alice, bob, carol, server_id, roles, categories, channels, make }
}

const BITS = ['view_channel', 'send_messages', 'manage_threads', 'pin_messages', 'speak', 'use_commands'] as const

/** One random change of overwrites on either level, of places, roles or timeouts. */
async function change(home: Awaited<ReturnType<typeof birds>>, pick: Pick, n: number): Promise<void> {
  const { alice, bob, carol, server_id, roles, categories, channels, make } = home
  const some = () => BITS.filter((_, at) => pick([true, false, at === 0])) as (typeof BITS)[number][]
  const path = `/api/channels/${pick([...channels, ...categories, ...categories])}/permissions/${pick(roles)}`
  const place = pick([...channels, ...categories, ...categories])
  const ofMember = `/api/channels/${place}/permissions/members/${pick([bob, carol])?.id}`
  const ways = [
    async () => {
      const allow = some()
      const deny = some().filter((bit) => !allow.includes(bit))
      await alice.put(path, { allow: permissions(...allow), deny: permissions(...deny) })
    },
    () => alice.delete(path),
    async () => {
      const allow = some()
      const deny = some().filter((bit) => !allow.includes(bit))
      await alice.put(ofMember, { allow: permissions(...allow), deny: permissions(...deny) })
    },
    () => alice.delete(ofMember),
    () => alice.put(`/api/channels/${pick(channels)}`, { parent_id: pick([null, ...categories]) ?? null }),
    () =>
      alice.put(
        `/api/servers/${server_id}/channels/order`,
        channels.map((id, position) => ({ id, parent_id: pick([null, ...categories]) ?? null, position })),
      ),
    async () => {
      const [removedId = 0] = categories.splice(0, 1)
      await alice.delete(`/api/channels/${removedId}`)
      categories.push(await make({ name: `category ${n}`, type: 'category' }))
    },
    async () => {
      const [removedId = 0] = channels.splice(0, 1)
      await alice.delete(`/api/channels/${removedId}`)
      channels.push(await make({ name: `channel ${n}`, type: 'text', parent_id: pick([null, ...categories]) ?? null }))
    },
    () => alice.put(`/api/roles/${pick(roles)}`, { permissions: permissions(...some()) }),
    () =>
      alice.put(`/api/servers/${server_id}/members/${bob.id}`, {
        timed_out_until: n % 3 ? null : new Date(Date.now() + 60_000).toISOString(),
      }),
    () => alice.put(`/api/servers/${server_id}/members/${bob.id}`, { held_back: n % 3 ? null : 'quarantined' }),
  ]
  await (pick([...ways, ways[0], ways[0], ways[2], ways[2], ways[4]]) as () => Promise<unknown>)()
}

/** The person's visible channels and the permissions there, by the database. */
async function truth(server_id: number, { id }: Person): Promise<Map<number, number>> {
  const rows = await sql<{ channel_id: number; permissions: number }[]>`
    select channel_id, permissions from channel_permissions
    where server_id = ${server_id} and user_id = ${id} and can_view(permissions) order by channel_id`
  return new Map(rows.map((row) => [row.channel_id, row.permissions]))
}

for (const seed of [3, 5, 8])
  test(`after any history, the database, the explanation and the web client agree (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const home = await birds()
    const clients = await Promise.all([home.bob, home.carol].map((who) => StoreClient.open(who)))
    for (let step = 0; step < STEPS; step++) {
      await change(home, pick, step)
      for (const client of clients) {
        await client.settle()
        const { state } = client.store
        const bits = await truth(home.server_id, client.who)
        const seen = [...state.channels.values()].filter((channel) => channel.server_id === home.server_id)
        expect([step, ...seen.map(({ id }) => id).toSorted((a, b) => a - b)]).toEqual([step, ...bits.keys()])
        expect(new Map(seen.map((channel) => [channel.id, state.permissionsAt(channel)]))).toEqual(new Map(bits))
        for (const [id, sum] of bits) {
          const explanation = await client.who.get(`/api/channels/${id}/permissions/explain`)
          expect(explanation.body.permissions).toBe(sum)
        }
      }
    }
    for (const client of clients) client.cut()
  })
