import { expect, setSystemTime, test } from 'bun:test'
import { boot, type Person, person, newServer, say, standard, stop, until } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** Reads everything that this token can read, as one text. */
async function everythingFor(who: Person, ids: Record<string, number>): Promise<string> {
  const seen: string[] = []
  for (const { method, path } of parley.routes) {
    if (method !== 'GET' || !path.startsWith('/api/') || path.includes(':code')) continue
    const filled = path.replace(/:(\w+)/g, (_, name: string) => String(ids[name] ?? ids.user_id))
    const query = path.endsWith('/search') ? '?q=otter' : path.endsWith('/explain') ? `?user_id=${ids.user_id}` : ''
    const answer = await who.get(filled + query)
    seen.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]))
  }
  return seen.join('\n')
}

test('no answer and no event shows another account’s username or e-mail address', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const live = await connect(bob)
  const s = await goOffline(bob)
  const message = await say(alice, channel_id, `Hello <@${bob.id}>`)
  const { id: role_id } = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Keepers', permissions: 128 }))
    .body
  await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role_id}`)
  await alice.post('/api/invites', { server_id })
  await alice.put('/api/auth/display-name', { display_name: 'Otter the First' })
  await befriend(alice, bob)
  const direct = await write(alice, bob, 'Psst')
  await alice.put(`/api/dm/messages/${direct.id}`, { content: 'Psst!' })
  const hers = await connect(alice)
  await hers.command('typing.start', { channel_id })
  await hers.command('typing.start', { user_id: bob.id })
  await bob.post(`/api/dm/${alice.id}/read-all`)
  const ids = { server_id, channel_id, role_id, message_id: message.id, user_id: alice.id, file_id: 1 }
  let seen = await everythingFor(bob, ids)
  await alice.post(`/api/friends/${bob.id}/block`)
  await bob
    .post('/api/dm/messages', { recipient_id: alice.id, content: 'Why?' })
    .then(({ body }) => (seen += JSON.stringify(body)))
  await live.settled()
  const again = await resume(bob, s)
  seen += JSON.stringify([live.frames, again.frames])
  expect(seen).toContain('Otter the First')
  for (const secret of [alice.username, alice.email]) expect(seen.includes(secret)).toBe(false)
  for (const gateway of [live, hers, again]) gateway.close()
})

test('a block answers like a privacy setting: same status, same body, same headers', async () => {
  const [alice, bob, carol] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  await newServer(alice, bob)
  // Bob shares a server and is blocked; carol shares none: to both, alice's setting is "servers".
  await sql`update users set friend_requests_from = 'servers' where id = ${alice.id}`
  await alice.post(`/api/friends/${bob.id}/block`)
  const eventsAfter = async (who: Person, path: string, body: object) => {
    const { status, body: problem, headers } = await who.post(path, body)
    const names = [...headers.keys()].filter((name) => name !== 'date').toSorted()
    return { status, problem: { ...problem, request_id: '' }, names }
  }
  for (const [path, body] of [
    ['/api/dm/messages', { recipient_id: alice.id, content: 'Hello' }],
    ['/api/dm/messages', { recipient_id: alice.id, content: 'Hello', nonce: 'n' }],
    ['/api/dm/messages', { recipient_id: alice.id, content: 'Hello', file_ids: [2 ** 50] }],
    ['/api/friends/request', { friend_id: alice.id }],
  ] as const) {
    const blocked = await eventsAfter(bob, path, body)
    expect(blocked).toEqual(await eventsAfter(carol, path, body))
    expect(blocked.problem.code).toBe('cannot_contact')
  }
  const [his, third] = [await connect(bob), await connect(carol)]
  const [mine, plain] = [
    await his.command('typing.start', { user_id: alice.id }),
    await third.command('typing.start', { user_id: alice.id }),
  ]
  expect({ ...mine, re: 0 }).toEqual({ ...plain, re: 0 })
  for (const live of [his, third]) live.close()
})

test('a refusal costs the database the same for a block as for a setting', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  await alice.post(`/api/friends/${bob.id}/block`)
  /** The refusal's scans of each table, as counted by PostgreSQL. */
  const scans = (sender: Person) =>
    sql.begin(async (tx) => {
      const counted = () => tx<{ relname: string; scans: number }[]>`
        select relname, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_xact_user_tables`
      const refuse = () => tx`select takes_dm(${sender.id}, ${alice.id}), takes_request(${sender.id}, ${alice.id})`
      // Planning scans indexes too; after these, the plans are cached.
      for (let n = 0; n < 10; n++) await refuse()
      const before = new Map((await counted()).map((row) => [row.relname, row.scans]))
      await refuse()
      const after = await counted()
      return Object.fromEntries(after.map((row) => [row.relname, row.scans - (before.get(row.relname) ?? 0)]))
    })
  const [blocked, plain] = [await scans(bob), await scans(carol)]
  for (const table of ['relations', 'members', 'users']) expect(blocked[table]).toBeGreaterThan(0)
  for (const table of ['relations', 'members', 'users']) expect(blocked[table]).toBe(plain[table] as number)
})

test('neither blocker nor blocked finds the other in a search, by username or by display name', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const name = `Wren ${alice.username}`
  await sql`update users set display_name = ${name} where id = ${alice.id}`
  const finds = async (who: Person, q: string, other: Person) =>
    (await who.get(`/api/users/search?q=${encodeURIComponent(q)}`)).body.some(
      (row: { id: number }) => row.id === other.id,
    )
  expect(await finds(bob, alice.username, alice)).toBe(true)
  await alice.post(`/api/friends/${bob.id}/block`)
  for (const q of [alice.username, name, name.slice(1, 9)]) expect(await finds(bob, q, alice)).toBe(false)
  expect(await finds(alice, bob.username, bob)).toBe(false)
  await alice.post(`/api/friends/${bob.id}/unblock`)
  expect(await finds(bob, alice.username, alice)).toBe(true)
})

test('presence reaches friends until a block, and never people who only write to each other', async () => {
  const home = await boot()
  try {
    const [alice, bob, carol, dave] = await passersBy(home, 'alice', 'bob', 'carol', 'dave')
    for (const friend of [bob, carol]) await befriend(alice, friend)
    await home.parts.sql`update users set dms_from = 'everyone'`
    await write(dave, alice, 'Hello')
    await alice.post(`/api/friends/${bob.id}/block`)
    const [his, hers, third] = [await connect(bob), await connect(carol), await connect(dave)]
    const phone = await connect(alice)
    const statuses = (live: typeof his) =>
      live.of('presence.updated').flatMap((frame) => frame.d.users.filter((user: any) => user.user_id === alice.id))
    setSystemTime(new Date(Date.now() + 5_100))
    await until(() => statuses(hers).length > 0)
    expect(statuses(hers)).toEqual([{ user_id: alice.id, status: 'online' }])
    for (const live of [his, third]) await live.settled()
    expect([statuses(his), statuses(third)]).toEqual([[], []])
    for (const who of [bob, dave]) {
      const fresh = await connect(who)
      expect(fresh.frames[0]?.d.presences).toEqual([])
      fresh.close()
    }
    for (const live of [his, hers, third, phone]) live.close()
  } finally {
    setSystemTime()
    await stop(home)
  }
})

test('a replay shows nothing of conversations, friendships and blocks of others', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { server_id } = await newServer(alice)
  const invite = await alice.post('/api/invites', { server_id })
  for (const who of [bob, mallory]) await who.post(`/api/invites/${invite.body.code}/join`)
  const s = await goOffline(mallory)
  await befriend(alice, bob)
  const secret = await write(alice, bob, 'The owl flies at midnight')
  await bob.post(`/api/dm/messages/${secret.id}/read`)
  await bob.delete(`/api/dm/${alice.id}/hide`)
  await alice.post(`/api/friends/${mallory.id}/block`)
  for (const from of [s, s - 1, 1]) {
    const live = await resume(mallory, from)
    const eventTypes = replayed(live).map((frame) => frame.t)
    expect(
      eventTypes.filter((type) => type.startsWith('dm.') || type.startsWith('message.') || type.startsWith('friend.')),
    ).toEqual([])
    expect(JSON.stringify(live.frames)).not.toContain('midnight')
    live.close()
  }
})

test('a block ends the friendship without saying why, and hides later changes from the blocked account', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const his = await connect(bob)
  await alice.post(`/api/friends/${bob.id}/block`)
  const { d } = await his.next('friend.updated')
  expect(d.relation).toEqual({
    user: { id: alice.id, display_name: 'alice', avatar_file_id: null, kind: 'person' },
    state: 'none',
    since: null,
  })
  await alice.put('/api/auth/display-name', { display_name: 'Incognito' })
  await alice.post(`/api/friends/${bob.id}/unblock`)
  await his.settled()
  expect(his.of('friend.updated')).toHaveLength(1)
  expect(his.of('user.updated')).toEqual([])
  his.close()
})

test('friends and partners in conversations get a new name; strangers do not', async () => {
  const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')
  await befriend(alice, bob)
  await sql`update users set dms_from = 'everyone' where id = ${carol.id}`
  await write(alice, carol, 'Hello')
  const lives = await Promise.all([bob, carol, mallory].map((who) => connect(who)))
  await alice.put('/api/auth/display-name', { display_name: 'Renamed' })
  for (const live of lives.slice(0, 2)) expect((await live.next('user.updated')).d.display_name).toBe('Renamed')
  await lives[2]?.settled()
  expect(lives[2]?.of('user.updated')).toEqual([])
  for (const live of lives) live.close()
})
