import { expect, test } from 'bun:test'
import { type Answer, call, PASSWORD, type Person, newServer, say, standard, until } from '../../support/harness.ts'
import { befriend, deleteAccountOf, peopleWithPassword, passersBy, write } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** The two people of a race, and their surroundings. */
interface Scene {
  alice: Person
  bob: Person
  /** A channel of bob's server with both. */
  channel_id: number
  server_id: number
  /** An invite to a server of bob's that alice has not joined. */
  code: string
  /** A direct message from each to the other. */
  hers: number
  his: number
  message_id: number
}

async function scene(): Promise<Scene> {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { channel_id, server_id } = await newServer(bob, alice)
  const other = await newServer(bob)
  const { code } = (await bob.post('/api/invites', { server_id: other.server_id })).body
  const [hers, his] = [(await write(alice, bob, 'Hello')).id, (await write(bob, alice, 'Hello')).id]
  const { id: message_id } = await say(alice, channel_id, 'Hello')
  return { alice, bob, channel_id, server_id, code, hers, his, message_id }
}

type Act = (scene: Scene) => Promise<Answer>
const dm = (from: Person, to: Person) =>
  from.post('/api/dm/messages', { recipient_id: to.id, content: 'Psst', nonce: 'n' })

/** An act by or on the account at the moment of its deletion; and the answer if the act comes too late. */
const acts: Record<string, [act: Act, late: [number, string]]> = {
  'creates a server': [({ alice }) => alice.post('/api/servers', { name: 'Own' }), [401, 'token_revoked']],
  'joins a server': [({ alice, code }) => alice.post(`/api/invites/${code}/join`), [404, 'not_found']],
  'says something': [
    ({ alice, channel_id }) => alice.post(`/api/channels/${channel_id}/messages`, { content: 'Late' }),
    [404, 'not_found'],
  ],
  'says something by a nonce': [
    ({ alice, channel_id }) => alice.post(`/api/channels/${channel_id}/messages`, { content: 'Late', nonce: 'n' }),
    [404, 'not_found'],
  ],
  'edits a message': [
    ({ alice, message_id }) => alice.put(`/api/messages/${message_id}`, { content: 'Late' }),
    [404, 'not_found'],
  ],
  'writes to somebody': [({ alice, bob }) => dm(alice, bob), [403, 'cannot_contact']],
  'is written to': [({ alice, bob }) => dm(bob, alice), [403, 'cannot_contact']],
  'edits what it wrote': [
    ({ alice, hers }) => alice.put(`/api/dm/messages/${hers}`, { content: 'Late' }),
    [401, 'token_revoked'],
  ],
  'marks read': [({ alice, his }) => alice.post(`/api/dm/messages/${his}/read`), [401, 'token_revoked']],
  'asks for friendship': [
    ({ alice, bob }) => alice.post('/api/friends/request', { friend_id: bob.id }),
    [404, 'not_found'],
  ],
  'is asked for friendship': [
    ({ alice, bob }) => bob.post('/api/friends/request', { friend_id: alice.id }),
    [404, 'not_found'],
  ],
  'is blocked': [({ alice, bob }) => bob.post(`/api/friends/${alice.id}/block`), [404, 'not_found']],
  'begins an upload': [
    ({ alice }) => alice.post('/api/files/upload-url', { filename: 'a', content_type: 'text/plain', size: 3 }),
    [401, 'token_revoked'],
  ],
  'logs in': [
    ({ alice: { username } }) => call(parley, 'POST', '/api/auth/login', { body: { username, password: PASSWORD } }),
    [401, 'invalid_credentials'],
  ],
  'takes another name': [
    ({ alice }) => alice.put('/api/auth/display-name', { display_name: 'Late' }),
    [401, 'token_revoked'],
  ],
  'takes off its avatar': [
    ({ alice }) => alice.put('/api/auth/avatar', { avatar_file_id: null }),
    [401, 'token_revoked'],
  ],
  'changes its privacy': [
    ({ alice }) => alice.put('/api/auth/privacy', { dms_from: 'everyone' }),
    [401, 'token_revoked'],
  ],
  'deletes itself again': [({ alice }) => deleteAccountOf(alice), [401, 'invalid_credentials']],
}

/** The data of a living account are gone, and the rest shows that the account is deleted. */
async function expectTombstone({ alice, bob }: Scene): Promise<void> {
  const [row] = await sql`select display_name, avatar_file_id, server_count, friend_count, block_count from users
    where id = ${alice.id} and deleted_at is not null`
  const counts = { server_count: 0, friend_count: 0, block_count: 0 }
  expect(row).toEqual({ display_name: 'Deleted user', avatar_file_id: null, ...counts })
  for (const [table, column] of [
    ['members', 'user_id'],
    ['sessions', 'user_id'],
    ['known_addresses', 'user_id'],
    ['uploads', 'user_id'],
    ['read_marks', 'user_id'],
    ['read_mark_lists', 'user_id'],
    ['message_nonces', 'author_id'],
    ['group_nonces', 'owner_id'],
    ['relations', 'low'],
    ['relations', 'high'],
    ['servers', 'owner_id'],
  ] as const)
    expect([table, await sql`select 1 from ${sql(table)} where ${sql(column)} = ${alice.id}`]).toEqual([
      table,
      [],
    ] as never)
  const [other] = await sql`select friend_count, block_count from users where id = ${bob.id}`
  expect(other).toEqual({ friend_count: 0, block_count: 0 })
  const events =
    await sql`select type, body from events where body::text like ${`%"id":${alice.id},"display_name":"alice"%`}`
  expect(events).toEqual([] as never)
}

const lock =
  ({ alice }: Scene) =>
  (tx: typeof sql) =>
    tx`select 1 from users where id = ${alice.id} for update`

for (const [what, [act, late]] of Object.entries(acts)) {
  test(`a deletion that races with an account that ${what} leaves nothing of it behind`, async () => {
    const behind = await scene()
    const [deletion, refused] = await race(parley, lock(behind) as never, [
      () => deleteAccountOf(behind.alice),
      () => act(behind),
    ])
    expect([deletion?.status, refused?.status, refused?.body.code]).toEqual([204, ...late])
    await expectTombstone(behind)

    const before = await scene()
    const [done, then] = await race(parley, lock(before) as never, [
      () => act(before),
      () => deleteAccountOf(before.alice),
    ])
    expect(done?.status).toBeLessThan(300)
    if (what === 'creates a server') {
      expect(then?.body.code).toBe('owns_servers')
      expect((await before.alice.delete(`/api/servers/${done?.body.id}`)).status).toBe(204)
      expect((await deleteAccountOf(before.alice)).status).toBe(204)
    } else expect(then?.status).toBe(what === 'deletes itself again' ? 401 : 204)
    await expectTombstone(before)
  })
}

test('a server handed over to an account that is being deleted stays with its owner', async () => {
  const home = await scene()
  const [deletion, refused] = await race(
    parley,
    (tx) => tx`select 1 from servers where id = ${home.server_id} for update`,
    [
      () => deleteAccountOf(home.alice),
      () => home.bob.post(`/api/servers/${home.server_id}/transfer`, { user_id: home.alice.id }),
    ],
  )
  expect([deletion?.status, refused?.status]).toEqual([204, 404])
  expect((await home.bob.get(`/api/servers/${home.server_id}`)).body).toMatchObject({ owner_id: home.bob.id })
})

test('two friends who delete themselves at once, and all their friends too, are all deleted', async () => {
  for (let round = 0; round < 3; round++) {
    const people = await peopleWithPassword(parley, 'alice', 'bob', 'carol', 'dave', 'erin')
    const owner = (await passersBy(parley, 'owner'))[0]
    await newServer(owner, ...people)
    await newServer(owner, ...people.toReversed())
    for (const [at, one] of people.entries())
      for (const other of people.slice(at + 1)) {
        await befriend(one, other)
        await write(one, other, 'Hello')
      }
    const answers = await Promise.all(people.map((who) => deleteAccountOf(who)))
    expect(answers.map((answer) => answer.status)).toEqual(people.map(() => 204))
    const ids = people.map((who) => who.id)
    expect(await sql`select 1 from relations where low = any(${ids}) or high = any(${ids})`).toHaveLength(0)
  }
})

test('under all its concurrent requests an account is deleted as a whole or not at all', async () => {
  const [alice] = await peopleWithPassword(parley, 'alice')
  const friends = await passersBy(parley, 'bob', 'carol', 'dave')
  const servers = await Promise.all(friends.map((friend) => newServer(friend, alice)))
  const [bob] = friends
  const live = await connect(bob)
  let isOver = false
  const busy = async (act: (n: number) => Promise<Answer>) => {
    for (let n = 0; !isOver; n++) {
      const { status } = await act(n)
      if (status >= 500) expect(status).toBe(503)
    }
  }
  const pick = <T>(from: T[], n: number) => from[n % from.length] as T
  const work = [
    busy((n) => alice.post(`/api/channels/${pick(servers, n).channel_id}/messages`, { content: `Message ${n}` })),
    busy((n) => alice.post('/api/dm/messages', { recipient_id: pick(friends, n).id, content: `Whisper ${n}` })),
    busy((n) => alice.post('/api/friends/request', { friend_id: pick(friends, n).id })),
    busy((n) =>
      pick(friends, n).post(`/api/friends/${alice.id}/${pick(['accept', 'decline', 'block', 'unblock'], n)}`),
    ),
    busy((n) => alice.put('/api/auth/display-name', { display_name: `Alice the ${n}th of ${alice.username}` })),
    busy((n) => pick(friends, n).delete(`/api/servers/${pick(servers, n).server_id}/members/${alice.id}`)),
    busy(async (n) => {
      const invite = await pick(friends, n).post('/api/invites', { server_id: pick(servers, n).server_id })
      return alice.post(`/api/invites/${invite.body.code}/join`)
    }),
  ]
  await Bun.sleep(300)
  await until(async () => (await deleteAccountOf(alice)).status === 204)
  await Bun.sleep(200)
  isOver = true
  await Promise.all(work)
  await live.settled()
  for (const [table, column] of [
    ['members', 'user_id'],
    ['sessions', 'user_id'],
    ['relations', 'low'],
    ['relations', 'high'],
  ] as const)
    expect(await sql`select 1 from ${sql(table)} where ${sql(column)} = ${alice.id}`).toHaveLength(0)
  expect(await sql`select type from events where body::text like ${`%of ${alice.username}%`}`).toHaveLength(0)
  // The last live event about her shows that she is deleted.
  const framesOfAlice = live.frames.filter(({ d }) => d.id === alice.id || d.author?.id === alice.id)
  expect(framesOfAlice.filter(({ t }) => t === 'user.updated').at(-1)?.d.display_name).toBe('Deleted user')
  const counts = await sql`select friend_count, block_count from users where id = any(${friends.map(({ id }) => id)})`
  expect([...counts]).toEqual(friends.map(() => ({ friend_count: 0, block_count: 0 })))
  live.close()
})
